-- A stand-in for the script of the mod's target lock tokens.
__XW_TokenType = "targetLock"

function manualSet(arguments)
  self.setName(arguments.name)
end

function assignToShip(arguments)
  Global.call("assignLock", { token = self, ship = arguments.ship })
end
