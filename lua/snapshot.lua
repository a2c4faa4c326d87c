-- The table as it stands, raw: positions in world units, names and codes as the mod writes them. The program converts.
Snapshot = {}

local function text(value)
  if type(value) == "number" then
    return string.format("%d", value)
  end
  if type(value) == "string" then
    return value
  end
  return ""
end

local function texts(list)
  local out = {}
  local n = 0
  if type(list) == "table" then
    for _, value in ipairs(list) do
      if type(value) == "string" then
        n = n + 1
        out[n] = value
      end
    end
  end
  return out
end

local function mat(guid)
  local object = Guard.object(guid)
  if object == nil then
    return nil
  end
  return Guard.value(nil, function()
    local position = object.getPosition()
    local size = object.getBoundsNormalized().size
    return {
      guid = guid, name = Mod.name(object),
      x = Json.number(position.x), y = Json.number(position.y), z = Json.number(position.z),
      halfX = Json.number(size.x / 2), halfZ = Json.number(size.z / 2),
    }
  end)
end

local function initiative(object, data)
  local shown = Guard.value(nil, function() return object.getTable("UiData").init end)
  if type(shown) == "string" and shown ~= "" then
    return shown
  end
  return text(data.initiative)
end

local function turrets(object)
  local found = {}
  local mounts = Guard.value({}, function() return object.call("GetAssignedMounts", {}) end)
  if type(mounts) == "table" then
    for _, mount in pairs(mounts) do
      local arc = Guard.value("", function() return object.call("GetTurretArc", { mount = mount }) end)
      if type(mount) == "string" and type(arc) == "string" and arc ~= "" then
        found[mount] = arc
      end
    end
  end
  return found
end

local function tokens(object)
  local counts, locks = {}, {}
  for _, token in ipairs(Mod.ship_tokens(object)) do
    local name = Mod.name(token)
    -- A marker that the players lay beside a damaged ship; the mod names it after the damage card.
    if Guard.value(false, function() return token.getVar("IsCritToken") end) == true then
      name = "Damage"
    end
    if Guard.value("", function() return token.getVar("__XW_TokenType") end) == "targetLock" then
      local guid = Guard.value("?", function() return token.getGUID() end)
      locks[guid] = State.data.locks[guid] or name
    else
      counts[name] = (counts[name] or 0) + Mod.quantity(token)
    end
  end
  return counts, locks
end

local function ship(object, dials, cards)
  local guid = Guard.value("", function() return object.getGUID() end)
  local pose = Mod.pose(object)
  if guid == "" or pose == nil then
    return nil
  end
  local data = Guard.value({}, function() return object.getTable("Data") end)
  local counts, locks = tokens(object)
  local dial = dials[guid]
  local beside = cards[guid] or {}
  if beside.force ~= nil then
    counts["Force"] = beside.force
  end
  return {
    guid = guid, name = Mod.name(object), shipId = text(data.shipId), pilot = text(data.xws), size = text(data.Size),
    initiative = initiative(object, data), faction = text(data.Faction),
    owner = text(Guard.value("", function() return object.getVar("owningPlayer") end)),
    x = pose.x, z = pose.y, rotY = pose.facing,
    busy = Mod.busy(object), held = Mod.held(object), bumped = Mod.bumped(object),
    -- Builds without such a variable give nil; there every ship counts as placed.
    placed = Guard.value(nil, function() return object.getVar("finished_setup") end) ~= false,
    moveSet = texts(data.moveSet), actSet = texts(data.actSet),
    turrets = turrets(object), tokens = counts, lockedBy = locks,
    dial = dial ~= nil and Guard.value("", function() return dial.getGUID() end) or "",
    shields = beside.shields, damage = beside.damage, upgrades = beside.upgrades or {},
  }
end

local function obstacle(object)
  local pose = Mod.pose(object)
  if pose == nil then
    return nil
  end
  local state = Guard.value(1, function() return object.getStateId() end)
  return {
    guid = Guard.value("", function() return object.getGUID() end), name = Mod.name(object),
    state = state >= 1 and state or 1, x = pose.x, z = pose.y, rotY = pose.facing,
    tags = texts(Guard.value({}, function() return object.getTags() end)), probe = Probe.shape(object),
  }
end

-- The parameters of `table/sync`.
function Snapshot.take()
  local mats, ships, obstacles = {}, {}, {}
  local n = 0
  for _, guid in ipairs(Mod.mats) do
    local seen = mat(guid)
    if seen ~= nil then
      n = n + 1
      mats[n] = seen
    end
  end
  local dials = Mod.dials()
  local cards = Cards.by_ship()
  local known, here = {}, {}
  n = 0
  for _, object in ipairs(Mod.ships()) do
    local seen = ship(object, dials, cards)
    if seen ~= nil then
      n = n + 1
      ships[n] = seen
      here[seen.guid] = true
      for token in pairs(seen.lockedBy) do
        known[token] = true
      end
    end
  end
  local listed = {}
  n = 0
  for _, tag in ipairs({ "Obstacle", "Mine" }) do
    for _, object in ipairs(Guard.value({}, getObjectsWithTag, tag)) do
      local seen = obstacle(object)
      if seen ~= nil and not listed[seen.guid] then
        listed[seen.guid] = true
        n = n + 1
        obstacles[n] = seen
      end
    end
  end
  local solo = {}
  n = 0
  for guid in pairs(State.data.solo) do
    if here[guid] then
      n = n + 1
      solo[n] = guid
    end
  end
  -- Lock tokens that are gone leave the table of lockers.
  for token in pairs(State.data.locks) do
    if not known[token] then
      State.data.locks[token] = nil
    end
  end
  State.data.rev = State.data.rev + 1
  State.touch()
  return {
    rev = State.data.rev,
    snapshot = {
      kind = "tts", mats = mats, ships = ships, obstacles = obstacles, solo = solo,
      -- Told only after a load: the table may have been taken back to an earlier round. Later on the program counts.
      round = State.loaded and State.data.round or 0,
    },
  }
end
