-- The X-Wing Unified mod, seen through its own calls. Nothing of it is edited; what it lacks is found out and told.
Mod = {
  mm = 0.03637,        -- world units in a millimetre
  steps = {},          -- kinds of step that can be carried out
  missing = {},        -- what is lacking, in words
  mats = {},
  bags = {},
}

-- The mod's names of tokens.
Mod.tokens = {
  focus = "Focus", evade = "Evade", calculate = "Calculate", stress = "Stress", strain = "Strain", deplete = "Deplete",
  ion = "Ion", jam = "Jam", tractor = "Tractor", disarm = "Disarm", reinforce = "Reinforce", cloak = "Cloak",
}

-- The mod's names of turret directions, by its own words and by the plain ones.
Mod.arcs = {
  front = "front", back = "back", rear = "back", left = "left", right = "right",
  frontback = "frontback", frontrear = "frontback", leftright = "leftright",
}

function Mod.has(name)
  return Guard.value(nil, function() return Global.getVar(name) end) ~= nil
end

-- A ship that was put on the mat counts as set up, as after the mod's own `place` command. Builds without it have no such
-- variable.
function Mod.finish_setup(object)
  Guard.try(function()
    if object.getVar("finished_setup") == false then
      object.setVar("finished_setup", true)
    end
  end)
end

-- Takes a token from a ship and off the table.
function Mod.take_token(ship, token)
  if token == nil then
    return
  end
  local guid = Guard.value("", function() return token.getGUID() end)
  Guard.try(function() ship.call("RemoveToken", { token = token }) end)
  Guard.try(function() token.destruct() end)
  State.data.locks[guid] = nil
  State.touch()
end

-- Finds out what the mod on this table can do. Scans all objects once: mats and token bags carry no tag.
function Mod.probe()
  local steps = { "say", "show", "remove", "lay", n = 4 }
  local missing = {}
  Mod.bags = {}
  Mod.mats = {}
  Dice.bags = {}
  Cards.looked = nil
  for _, object in ipairs(Guard.value({}, getObjects)) do
    -- `tag` is the older name of `type`.
    local kind = Guard.value(nil, function() return object.type end) or Guard.value("", function() return object.tag end)
    if kind == "Infinite" then
      local name = Guard.value("", function() return object.getName() end)
      Mod.bags[name] = true
      Dice.see_bag(object, name)
    end
    if Guard.value(false, function() return object.getVar("__XW_Mat") end) == true then
      Guard.push(Mod.mats, Guard.value("", function() return object.getGUID() end))
    end
  end
  if Mod.has("API_PerformMove") then
    Guard.push(steps, "move")
  else
    Guard.push(missing, "moves (API_PerformMove)")
  end
  if Mod.has("API_QueueShipTokensMove") then
    Guard.push(steps, "place")
  else
    Guard.push(missing, "exact placement (API_QueueShipTokensMove)")
  end
  if Mod.has("proxyPerformAction") then
    Guard.push(steps, "token")
    if Mod.bags["Target Locks"] then
      Guard.push(steps, "lock")
    else
      Guard.push(missing, "locks (no bag named Target Locks)")
    end
    for _, name in pairs(Mod.tokens) do
      if not Mod.bags[name] then
        Guard.push(missing, name .. " tokens (no bag of that name)")
      end
    end
  else
    Guard.push(missing, "tokens and locks (proxyPerformAction)")
  end
  Guard.push(steps, "dial")
  Guard.push(steps, "turret")
  steps.n = nil
  missing.n = nil
  -- `pairs` above goes in no fixed order.
  table.sort(missing, function(a, b) return string.lower(a) < string.lower(b) end)
  Mod.steps = steps
  Mod.missing = missing
end

function Mod.is_ship(object)
  return object ~= nil and Guard.value(false, function() return object.hasTag("Ship") end) == true
end

-- All ships that lie on the table.
function Mod.ships()
  return Guard.value({}, getObjectsWithTag, "Ship")
end

function Mod.name(object)
  return Guard.value("?", function() return object.getName() end)
end

-- Where an object stands, in the table's own units; nil for one that is gone.
function Mod.pose(object)
  local ok, pose = Guard.try(function()
    local position = object.getPosition()
    local rotation = object.getRotation()
    return { x = Json.number(position.x), y = Json.number(position.z), facing = Json.number(rotation.y % 360) }
  end)
  if ok then
    return pose
  end
  return nil
end

-- Whether two poses agree within 1 mm and 1 degree.
function Mod.agree(a, b)
  if a == nil or b == nil then
    return false
  end
  local dx, dy = a.x - b.x, a.y - b.y
  local turn = (a.facing - b.facing + 180) % 360 - 180
  return dx * dx + dy * dy <= Mod.mm * Mod.mm and turn <= 1 and turn >= -1
end

function Mod.held(object)
  return Guard.value(nil, function() return object.held_by_color end) ~= nil
end

function Mod.busy(object)
  return Guard.value(false, function() return object.getVar("cmdBusy") end) == true
end

-- At rest: the mod is done with it, physics too, and nobody holds it.
function Mod.at_rest(object)
  return not Mod.busy(object) and not Mod.held(object)
    and Guard.value(false, function() return object.resting end) == true
    and Guard.value(true, function() return object.isSmoothMoving() end) == false
end

-- The mod leaves a button on a ship that bumped.
function Mod.bumped(object)
  local buttons = Guard.value(nil, function() return object.getButtons() end)
  if type(buttons) ~= "table" then
    return false
  end
  for _, button in pairs(buttons) do
    if button.label == "BUMPED" then
      return true
    end
  end
  return false
end

function Mod.clear_bump(object)
  Guard.try(function()
    for _, button in pairs(object.getButtons() or {}) do
      if button.label == "BUMPED" then
        object.removeButton(button.index)
        return
      end
    end
  end)
end

-- Live tokens of a ship, of one kind or all.
function Mod.ship_tokens(ship, kind)
  local found = Guard.value({}, function()
    if kind ~= nil then
      return ship.call("GetTokens", { type = kind })
    end
    return ship.call("GetTokens", {})
  end)
  local live = {}
  local n = 0
  if type(found) == "table" then
    for _, token in pairs(found) do
      local guid = Guard.value("", function() return token.getGUID() end)
      if guid ~= "" and Guard.value(nil, function() return token.getVar("deleted") end) == nil then
        n = n + 1
        live[n] = token
      end
    end
  end
  return live
end

function Mod.quantity(token)
  local quantity = Guard.value(1, function() return token.getQuantity() end)
  if type(quantity) ~= "number" or quantity < 1 then
    return 1
  end
  return quantity
end

-- How many tokens of a name lie at a ship.
function Mod.count(ship, name)
  local count = 0
  for _, token in ipairs(Mod.ship_tokens(ship)) do
    local written = Mod.name(token)
    -- The mod writes the side of a reinforce token behind its name.
    if written == name or string.sub(written, 1, #name + 2) == name .. " (" then
      count = count + Mod.quantity(token)
    end
  end
  return count
end

-- Lock tokens on a ship: GUID -> name (the locker's, as the mod writes it).
function Mod.locks_on(ship)
  local locks = {}
  for _, token in ipairs(Mod.ship_tokens(ship, "targetLock")) do
    locks[Guard.value("?", function() return token.getGUID() end)] = Mod.name(token)
  end
  return locks
end

-- The colour that acts for a ship; Black is the game master's.
function Mod.colour(ship)
  local owner = Guard.value("", function() return ship.getVar("owningPlayer") end)
  if type(owner) == "string" and owner ~= "" then
    return owner
  end
  return "Black"
end

-- Takes or sheds one token, or lays a lock: the mod's own action call. true, or false and why not.
function Mod.action(ship, name, arguments)
  return Guard.try(function()
    Global.call("proxyPerformAction", { ship, name, Mod.colour(ship), arguments })
  end)
end

-- The dial that is assigned to a ship, or nil.
function Mod.dial_of(ship_guid)
  return Mod.dials()[ship_guid]
end

-- Ship GUID -> dial object.
function Mod.dials()
  local dials = {}
  for _, object in ipairs(Guard.value({}, getObjectsWithTag, "Flippable")) do
    if Guard.value("", function() return object.getVar("__XW_TokenType") end) == "helper:Dial" then
      local guid = Guard.value("", function() return object.getVar("assignedShip").getGUID() end)
      if guid ~= "" then
        dials[guid] = object
      end
    end
  end
  return dials
end

-- The dial's `set` button toggles; it asks only for the colour of the one who presses.
local function toggle_dial(dial)
  dial.call("setDial", { color = "Black" })
end

-- Selects a maneuver (`wbl2`) on a dial and sets it, as a player's two presses would. true, or false and why not.
function Mod.set_dial(dial, code)
  local ok, reason = Guard.try(function()
    if dial.getVar("setStat") == true then
      toggle_dial(dial)
    end
    local icons = dial.call("getManeuverIcons", code)
    if type(icons) ~= "table" or icons.type == nil then
      error("this dial knows no maneuver " .. code)
    end
    if dial.getVar("playerColor") == nil then
      dial.setVar("playerColor", "Black")
    end
    dial.setVar("firstSet", true)
    dial.setVar("manButtonId", string.upper(code))
    dial.setVar("curMan", code)
    dial.setVar("setMan", string.sub(code, 2))
    dial.setVar("befAft", "_B")
    dial.setVar("typeIcon", icons.type)
    dial.setVar("speedIcon", icons.speed)
    toggle_dial(dial)
  end)
  if not ok then
    return false, reason
  end
  local set = Guard.value(false, function()
    return dial.getVar("setStat") == true and dial.getVar("setMan") == string.sub(code, 2)
  end)
  if set then
    return true
  end
  return false, "the dial did not take the maneuver"
end

-- Opens a dial again once its maneuver was flown.
function Mod.clear_dial(ship_guid)
  local dial = Mod.dial_of(ship_guid)
  if dial ~= nil then
    Guard.try(function()
      if dial.getVar("setStat") == true then
        toggle_dial(dial)
      end
    end)
  end
end
