-- A stand-in for the script of the mod's dials.
__XW_TokenType = "helper:Dial"
assignedShip = nil
playerColor = nil
setStat = nil
setMan = nil
manButtonId = nil
curMan = nil
firstSet = false
befAft = "_B"
typeIcon = nil
speedIcon = nil

function assignShip(arguments)
  assignedShip = arguments.ship
  self.setName(assignedShip.getName())
  setMan = ""
  Global.call("API_AssignDial", { dial = self, ship = assignedShip })
end

local kinds = { s = "Straight", b = "Bank", t = "Turn", k = "K" }
local colours = { w = "White", b = "Blue", r = "Red", p = "Purple" }

function getManeuverIcons(code)
  local speed = string.match(code, "%d")
  local kind, colour = kinds[string.sub(code, 2, 2)], colours[string.sub(code, 1, 1)]
  return { speed = "Speed" .. speed, type = colour .. kind }
end

-- Toggles: sets the chosen maneuver, or opens the dial again.
function setDial(player)
  if player.color ~= "Black" and player.color ~= playerColor then
    return
  end
  if setMan == nil or setMan == "" then
    print("Pick a maneuver before setting the dial")
    return
  end
  if setStat then
    setStat = false
    Global.call("API_SetDial", { dial = self, set = false })
  else
    self.UI.setAttribute("setBtnFD", "color", playerColor)
    setStat = true
    printToAll(player.color .. " player has set the maneuver for " .. assignedShip.getName())
    Global.call("API_SetDial", { dial = self, set = true })
  end
end
