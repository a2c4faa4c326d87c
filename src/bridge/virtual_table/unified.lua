-- A stand-in for the Global script of the X-Wing Unified mod: its calls, what they do, and how they fail. Written from a
-- description of the behaviour; nothing is taken from the mod.

local igu = 0.03637
local names = {
  Focus = true, Calculate = true, Evade = true, Stress = true, Strain = true, Deplete = true, Ion = true, Cloak = true,
  Jam = true, Reinforce = true, Disarm = true, Tractor = true, ["Target Lock"] = true,
}

-- Token GUID -> ship.
local assigned = {}
-- Locks that were taken from the bag and wait for their name.
local locks_waiting = {}
local flips_waiting = {}
-- Tokens that travel with a ship that moves: ship GUID -> list of token and offset.
local travelling = {}
local dials = {}

local function announce(ship, text)
  printToAll(ship.getName() .. " " .. text)
end

local function set_busy(ship)
  ship.setVar("cmdBusy", true)
end

local function is_ready(ship)
  return ship.getVar("cmdBusy") ~= true
end

local function size_of(ship)
  local data = ship.getTable("Data")
  return data ~= nil and data.Size or nil
end

-- ## Moving

local function remove_reminder(ship)
  local buttons = ship.getButtons()
  for i = buttons ~= nil and #buttons or 0, 1, -1 do
    if buttons[i].label == "BUMPED" then
      ship.removeButton(buttons[i].index)
    end
  end
end

function dismissReminder(ship)
  remove_reminder(ship)
end

local function queue_tokens(ship)
  local list = {}
  local at, turn = ship.getPosition(), math.rad(ship.getRotation().y)
  for _, token in ipairs(ship.call("GetTokens", {})) do
    local place = token.getPosition()
    local dx, dz = place.x - at.x, place.z - at.z
    list[#list + 1] = {
      token = token,
      -- Into the ship's frame.
      x = dx * math.cos(turn) - dz * math.sin(turn), z = dz * math.cos(turn) + dx * math.sin(turn),
    }
  end
  travelling[ship.getGUID()] = list
end

local function bring_tokens(ship)
  local list = travelling[ship.getGUID()]
  travelling[ship.getGUID()] = nil
  local at, turn = ship.getPosition(), math.rad(ship.getRotation().y)
  for _, entry in ipairs(list or {}) do
    if getObjectFromGUID(entry.token.getGUID()) ~= nil then
      entry.token.setPositionSmooth({
        at.x + entry.x * math.cos(turn) + entry.z * math.sin(turn), at.y + 0.5,
        at.z + entry.z * math.cos(turn) - entry.x * math.sin(turn),
      }, false, true)
    end
  end
end

-- The ship is busy until it rests; then it is put exactly where it was to end, and its tokens follow.
local function wait_for_rest(ship, final)
  startLuaCoroutine(nil, function()
    repeat
      coroutine.yield(0)
    until ship.resting and not ship.isSmoothMoving() and ship.held_by_color == nil
    if final ~= nil then
      ship.setPosition(final.pos)
      ship.setRotation(final.rot)
    end
    bring_tokens(ship)
    ship.lock()
    if not faults["stuck:" .. ship.getGUID()] then
      ship.setVar("cmdBusy", false)
    end
    return 1
  end)
end

local function others_of(ship)
  local others = {}
  for _, other in ipairs(getObjectsWithTag("Ship")) do
    if other.getGUID() ~= ship.getGUID() and size_of(other) ~= nil then
      local at = other.getPosition()
      others[#others + 1] = { x = at.x, z = at.z, rot = other.getRotation().y, size = size_of(other), ship = other }
    end
  end
  return others
end

function API_PerformMove(arguments)
  local ship, code = arguments.ship, arguments.code
  if not is_ready(ship) then
    return false
  end
  local at, others = ship.getPosition(), others_of(ship)
  local plain = {}
  for i, other in ipairs(others) do
    plain[i] = { x = other.x, z = other.z, rot = other.rot, size = other.size }
  end
  local moved = probeMove(code, size_of(ship) or "small", at.x, at.z, ship.getRotation().y,
    arguments.ignoreCollisions and {} or plain)
  if moved.kind == "unknown" then
    return false
  end
  ship.lock()
  -- A ship whose collider is not recognised is refused, and yet reported as moved.
  if size_of(ship) == nil or faults["refused:" .. ship.getGUID()] then
    return true
  end
  if moved.kind == "overlap" then
    announce(ship, "tried " .. code .. " but overlaps, so it stays")
    return false
  end
  set_busy(ship)
  remove_reminder(ship)
  queue_tokens(ship)
  local final = { pos = { moved.x, at.y, moved.z }, rot = { 0, moved.rot, 0 } }
  ship.setPositionSmooth(final.pos, false, true)
  ship.setRotationSmooth(final.rot, false, true)
  wait_for_rest(ship, final)
  if moved.bumped ~= nil then
    ship.createButton({ click_function = "dismissReminder", label = "BUMPED", position = { 0, 0.3, 0.8 } })
    announce(ship, "performed " .. code .. " and bumped into " .. others[moved.bumped].ship.getName())
  else
    announce(ship, "performed " .. code)
  end
  return true
end

function API_QueueShipTokensMove(arguments)
  if is_ready(arguments.ship) then
    set_busy(arguments.ship)
  end
  queue_tokens(arguments.ship)
  wait_for_rest(arguments.ship, arguments.finPos)
end

function API_IsShipType(arguments)
  return arguments.ship.getVar("__XW_Ship") == true
end

-- ## Tokens

local function assign(token, ship)
  Wait.condition(function()
    local guid = token.getGUID()
    if assigned[guid] ~= nil then
      assigned[guid].call("RemoveToken", { token = token })
    end
    assigned[guid] = ship
    if ship ~= nil then
      token.setDescription("Assigned to " .. ship.getName())
      ship.call("AddToken", { token = token })
    end
  end, function() return not token.spawning end)
end

function API_AssignToken(arguments)
  assign(arguments.token, arguments.ship)
end

function assignLock(arguments)
  assign(arguments.token, arguments.ship)
end

function getShipTokenIsAssignedTo(arguments)
  return assigned[arguments.token.getGUID()]
end

function onObjectDestroyed(object)
  local guid = object.getGUID()
  local ship = assigned[guid]
  if ship ~= nil then
    ship.call("RemoveToken", { token = object })
    assigned[guid] = nil
  end
end

local function bag_of(name)
  for _, bag in ipairs(objectsOf("Infinite")) do
    if bag.getName() == (name == "Target Lock" and "Target Locks" or name) then
      return bag
    end
  end
  -- The mod looks its bags up once, without asking whether they are there.
  error("attempt to index a nil value")
end

function nameLocks()
  for _, waiting in ipairs(locks_waiting) do
    waiting.lock.call("manualSet", { name = waiting.name, color = waiting.color })
    if waiting.target ~= nil then
      waiting.lock.call("assignToShip", { ship = waiting.target })
    end
  end
  locks_waiting = {}
end

function flipTokens()
  for _, token in ipairs(flips_waiting) do
    token.flip()
  end
  flips_waiting = {}
end

-- A new token of a kind that lies there already falls onto it, and the two become one stack.
local function stack(token, ship, name)
  Wait.time(function()
    if not stackTokens() or getObjectFromGUID(token.getGUID()) == nil then
      return
    end
    for _, other in ipairs(ship.call("GetTokens", {})) do
      if other.getGUID() ~= token.getGUID() and other.getName() == name and not other.isSmoothMoving() then
        setQuantity(other, math.max(1, other.getQuantity()) + math.max(1, token.getQuantity()))
        token.destruct()
        return
      end
    end
  end, 0.4)
end

function proxyPerformAction(list)
  local ship, name, colour, arguments = list[1], list[2], list[3], list[4] or {}
  if not names[name] then
    return
  end
  if arguments.remove == true then
    local found
    for _, token in ipairs(ship.call("GetTokens", { type = string.lower(name) })) do
      found = token
    end
    if found == nil then
      announce(ship, "tried to shed a " .. name .. " but has none")
    else
      -- The whole stack goes.
      found.destruct()
      announce(ship, "sheds a " .. name .. " token")
    end
    return
  end
  local target = arguments.target or ship
  local at = target.getPosition()
  local take = { position = { at.x + 1, at.y + 0.5, at.z + 1 } }
  if name == "Target Lock" then
    take.callback = "nameLocks"
  elseif arguments.flip then
    take.callback = "flipTokens"
  end
  local token = bag_of(name).takeObject(take)
  if name == "Target Lock" then
    locks_waiting[#locks_waiting + 1] = {
      lock = token, name = ship.getName(), color = colour, target = arguments.target,
    }
    announce(ship, "acquired a target lock")
  else
    if arguments.flip then
      flips_waiting[#flips_waiting + 1] = token
    end
    assign(token, ship)
    stack(token, ship, name)
    announce(ship, "takes a " .. name .. " token")
  end
end

-- ## Dials

function API_AssignDial(arguments)
  dials[arguments.dial.getGUID()] = arguments.ship
end

function API_SetDial(arguments)
  if dials[arguments.dial.getGUID()] == nil then
    printToAll("Attempted to set dial, but dial not assigned")
  end
end

-- ## Commands written into a ship's description

function everyFrame(frame)
  if frame % 12 ~= 0 then
    return
  end
  for _, ship in ipairs(getObjectsWithTag("Ship")) do
    local command = ship.getDescription()
    if command == "diag" then
      faults["stuck:" .. ship.getGUID()] = nil
      ship.setVar("cmdBusy", false)
      ship.lock()
      ship.setDescription("")
    elseif command ~= "" and is_ready(ship) then
      ship.setDescription("")
      API_PerformMove({ ship = ship, code = command })
    end
  end
end

-- ## Saving

function onSaveTable()
  local saved = { tokens = {}, dials = {} }
  for guid, ship in pairs(assigned) do
    saved.tokens[guid] = ship.getGUID()
  end
  for guid, ship in pairs(dials) do
    saved.dials[guid] = ship.getGUID()
  end
  return saved
end

function onLoadTable(saved)
  for guid, ship in pairs(saved.tokens) do
    local token = getObjectFromGUID(guid)
    if token ~= nil then
      assign(token, getObjectFromGUID(ship))
    end
  end
  for guid, ship in pairs(saved.dials) do
    getObjectFromGUID(guid).call("assignShip", { ship = getObjectFromGUID(ship) })
  end
  for _, ship in ipairs(getObjectsWithTag("Ship")) do
    ship.lock()
  end
end
