-- The part of Tabletop Simulator that scripts see: objects, waiting, buttons, chat, requests. Time is virtual, a frame is
-- a sixtieth of a second.
local host, new_environment, sources = ...
local frame_seconds = 1 / 60

local game = {
  now = 0, frame = 0, objects = {}, order = {}, refs = {}, ids = {}, next_id = 0, waits = {}, next_wait = 0, routines = {},
  chat = {}, errors = {}, selected = {}, requests = {}, web = {}, noise = 12345, lines = {},
  faults = {}, casts = 0, dice_seed = 1, rolled = {},
}
host.now = function() return game.now end

local function report(what, text)
  game.errors[#game.errors + 1] = what .. ": " .. tostring(text)
end

local function guarded(what, body, ...)
  local ok, value = pcall(body, ...)
  if not ok then
    report(what, value)
    return nil
  end
  return value
end

local function note(text)
  game.chat[#game.chat + 1] = text
end

-- The same small errors every time: smooth motion ends near its goal, not on it.
local function jitter()
  game.noise = (game.noise * 1103515245 + 12345) % 2147483648
  return (game.noise / 2147483648 - 0.5) * 0.04
end

local function xyz(value, default)
  if value == nil then
    return default
  end
  return { x = value.x or value[1] or default.x, y = value.y or value[2] or default.y, z = value.z or value[3] or default.z }
end

local function vector(v)
  -- The game's vectors answer to letters and to numbers.
  return { x = v.x, y = v.y, z = v.z, [1] = v.x, [2] = v.y, [3] = v.z }
end

-- What crosses from script to script: plain values and objects; tables are copied, functions stay behind.
local function crossing(value)
  local kind = type(value)
  if kind == "table" then
    local copy = {}
    for key, item in pairs(value) do
      copy[key] = crossing(item)
    end
    return copy
  elseif kind == "function" or kind == "thread" then
    error("functions cannot cross from one script to another", 0)
  end
  return value
end

-- ## Objects

local methods = {}
local fields = {}

local function alive(id, key)
  local object = game.ids[id]
  if object == nil or object.destroyed then
    error("attempt to use `" .. tostring(key) .. "` of an object that is gone", 0)
  end
  return object
end

host.index = function(id, key)
  local object = alive(id, key)
  local field = fields[key]
  if field ~= nil then
    return field(object)
  end
  local method = methods[key]
  if method ~= nil then
    return function(...)
      return method(alive(id, key), ...)
    end
  end
  error("cannot access field " .. tostring(key) .. " of userdata<LuaGameObjectScript>", 0)
end

host.set_index = function(id, key)
  alive(id, key)
  error("cannot set field " .. tostring(key) .. " here", 0)
end

function game.ref(object)
  local ref = game.refs[object.id]
  if ref == nil then
    ref = host.new_ref(object.id)
    game.refs[object.id] = ref
  end
  return ref
end

function game.record(ref)
  return game.ids[host.ref_id(ref)]
end

local function new_guid()
  local guid
  repeat
    game.noise = (game.noise * 1103515245 + 12345) % 2147483648
    guid = string.format("%06x", math.floor(game.noise / 128))
  until game.objects[guid] == nil
  return guid
end

-- Names that every script may use, besides its own `self`.
local common

local function script_of(object)
  local source = object.script ~= nil and (sources[object.script] or object.script) or nil
  -- The mod's own scripts may ask for names that are not there; they are not under test.
  object.env = new_environment(common(object), object.script == nil or sources[object.script] ~= nil)
  rawset(object.env, "self", game.ref(object))
  for name, value in pairs(object.vars or {}) do
    rawset(object.env, name, crossing(value))
  end
  if source ~= nil then
    local chunk, why = host.load(source, "=chunk_" .. object.id, object.env)
    if chunk == nil then
      report(object.guid, why)
    else
      guarded(object.guid, chunk)
    end
  end
end

-- Puts an object on the table. `spec`: guid, name, kind, tags, position, rotation, script, state, vars, size, spawning.
function game.spawn(spec)
  game.next_id = game.next_id + 1
  local guid = spec.guid
  if guid == nil or guid == "" or game.objects[guid] ~= nil then
    guid = new_guid()
  end
  local object = {
    id = game.next_id, guid = guid, name = spec.name or "", description = "", kind = spec.kind or "Generic",
    tags = {}, position = xyz(spec.position, { x = 0, y = 1, z = 0 }), rotation = xyz(spec.rotation, { x = 0, y = 0, z = 0 }),
    script = spec.script, vars = spec.vars, shape = spec.shape, bounds = spec.bounds or { x = 1, y = 1, z = 1 }, quantity = -1,
    buttons = {}, inputs = {}, menu = {}, locked = spec.locked == true, spawning = spec.spawning or 0, still = 10,
    face_down = spec.face_down == true, state = spec.state or "", state_id = spec.state_id or -1,
    gm_notes = spec.gm_notes or "", card_id = spec.card_id, side = spec.side,
  }
  for _, tag in ipairs(spec.tags or {}) do
    object.tags[tag] = true
  end
  game.objects[guid] = object
  game.ids[object.id] = object
  game.order[#game.order + 1] = object
  script_of(object)
  if object.spawning == 0 and not spec.quiet then
    game.loaded(object)
  end
  return object
end

function game.loaded(object)
  local on_load = rawget(object.env, "onLoad")
  if on_load ~= nil then
    guarded(object.guid .. " onLoad", on_load, object.state)
  end
end

local function global_event(name, ...)
  for _, object in ipairs(game.order) do
    if not object.destroyed then
      local handler = object.env and rawget(object.env, name)
      if handler ~= nil and name ~= "onDestroy" then
        guarded(object.guid .. " " .. name, handler, ...)
      end
    end
  end
end

function game.remove(object)
  if object.destroyed then
    return
  end
  if game.unified ~= nil and game.unified.onObjectDestroyed ~= nil then
    guarded("onObjectDestroyed", game.unified.onObjectDestroyed, game.ref(object))
  end
  local on_destroy = rawget(object.env, "onDestroy")
  if on_destroy ~= nil then
    guarded(object.guid .. " onDestroy", on_destroy)
  end
  object.destroyed = true
  game.objects[object.guid] = nil
  for i, other in ipairs(game.order) do
    if other == object then
      table.remove(game.order, i)
      break
    end
  end
end

-- A player puts an object down.
function game.drop(object, colour)
  global_event("onObjectDrop", colour, game.ref(object))
end

fields.resting = function(o) return o.still >= 3 and o.moving == nil and o.held_by == nil end
fields.held_by_color = function(o) return o.held_by end
fields.tag = function(o) return o.kind end
fields.type = function(o) return o.kind end
fields.guid = function(o) return o.guid end
fields.spawning = function(o) return o.spawning > 0 end
fields.loading_custom = function() return false end
fields.is_face_down = function(o) return o.face_down end
fields.interactable = function() return true end
fields.script_state = function(o) return o.state end
fields.UI = function()
  return {
    setAttribute = function(_, _, value)
      if value == nil then
        error("a nil attribute raises there", 0)
      end
    end,
    setValue = function() end, show = function() end, hide = function() end,
  }
end

function methods.getGUID(o) return o.guid end
function methods.getName(o) return o.name end
function methods.setName(o, name) o.name = tostring(name) end
function methods.getDescription(o) return o.description end
function methods.setDescription(o, text) o.description = tostring(text) end
function methods.getGMNotes(o) return o.gm_notes end
function methods.setGMNotes(o, text) o.gm_notes = tostring(text) return true end
-- As much of a saved object as scripts ask for.
function methods.getData(o)
  return { GUID = o.guid, Nickname = o.name, Name = o.kind, CardID = o.card_id }
end
function methods.getPosition(o) return vector(o.position) end
function methods.getRotation(o) return vector({ x = o.rotation.x, y = o.rotation.y % 360, z = o.rotation.z }) end
function methods.getTags(o)
  local list = {}
  for tag in pairs(o.tags) do
    list[#list + 1] = tag
  end
  table.sort(list, function(a, b) return a < b end)
  return list
end
function methods.hasTag(o, tag) return o.tags[tag] == true end
function methods.addTag(o, tag) o.tags[tag] = true return true end
function methods.getStateId(o) return o.state_id end
function methods.getQuantity(o) return o.quantity end
function methods.getBoundsNormalized(o)
  return { center = vector(o.position), size = vector(o.bounds), offset = vector({ x = 0, y = 0, z = 0 }) }
end
-- About the world's axes. What has no shape is as wide as its own bounds, whichever way it lies.
function methods.getBounds(o)
  local low, high = { x = -o.bounds.x / 2, z = -o.bounds.z / 2 }, { x = o.bounds.x / 2, z = o.bounds.z / 2 }
  for i, corner in ipairs(o.shape or {}) do
    local at = methods.positionToWorld(o, { x = corner[1], y = 0, z = corner[2] })
    local x, z = at.x - o.position.x, at.z - o.position.z
    low = i == 1 and { x = x, z = z } or { x = math.min(low.x, x), z = math.min(low.z, z) }
    high = i == 1 and { x = x, z = z } or { x = math.max(high.x, x), z = math.max(high.z, z) }
  end
  local middle = { x = (low.x + high.x) / 2, y = 0, z = (low.z + high.z) / 2 }
  return {
    center = vector({ x = o.position.x + middle.x, y = o.position.y, z = o.position.z + middle.z }),
    size = vector({ x = high.x - low.x, y = o.bounds.y, z = high.z - low.z }), offset = vector(middle),
  }
end
function methods.lock(o) o.locked = true return true end
function methods.unlock(o) o.locked = false return true end
function methods.setLock(o, lock) o.locked = lock return true end
function methods.isSmoothMoving(o) return o.moving ~= nil end
function methods.highlightOn() return true end
function methods.flip(o) o.face_down = not o.face_down return true end
function methods.destruct(o) game.remove(o) return true end
function methods.getVar(o, name) return rawget(o.env, name) end
function methods.setVar(o, name, value) rawset(o.env, name, crossing(value)) return true end
function methods.getTable(o, name)
  local value = rawget(o.env, name)
  return type(value) == "table" and crossing(value) or nil
end
function methods.setTable(o, name, value) rawset(o.env, name, crossing(value)) return true end
function methods.call(o, name, argument)
  local body = rawget(o.env, name)
  if type(body) ~= "function" then
    error("object " .. o.guid .. " has no function " .. tostring(name), 0)
  end
  return crossing(body(crossing(argument)))
end
function methods.setPosition(o, position)
  o.moving = nil
  o.position = xyz(position, o.position)
  return true
end
function methods.setRotation(o, rotation)
  o.rotation = xyz(rotation, o.rotation)
  return true
end

local function smooth(o, key, goal, fast)
  local seconds = fast and 0.4 or 0.9
  o.moving = o.moving or { since = game.now, seconds = seconds }
  o.moving.since, o.moving.seconds = game.now, math.max(seconds, o.moving.seconds)
  o.moving[key] = { from = xyz(o[key], o[key]), to = goal }
  o.still = 0
end
function methods.setPositionSmooth(o, position, _, fast)
  local goal = xyz(position, o.position)
  smooth(o, "position", { x = goal.x + jitter(), y = goal.y, z = goal.z + jitter() }, fast)
  return true
end
function methods.setRotationSmooth(o, rotation, _, fast)
  smooth(o, "rotation", xyz(rotation, o.rotation), fast)
  return true
end

local function turned(o, local_point, sign)
  local angle = math.rad(o.rotation.y) * sign
  local sin, cos = math.sin(angle), math.cos(angle)
  -- About the vertical, clockwise seen from above.
  return local_point.x * cos + local_point.z * sin, local_point.z * cos - local_point.x * sin
end
function methods.positionToWorld(o, point)
  local p = xyz(point, { x = 0, y = 0, z = 0 })
  local x, z = turned(o, p, 1)
  return vector({ x = o.position.x + x, y = o.position.y + p.y, z = o.position.z + z })
end
function methods.positionToLocal(o, point)
  local p = xyz(point, { x = 0, y = 0, z = 0 })
  local x, z = turned(o, { x = p.x - o.position.x, z = p.z - o.position.z }, -1)
  return vector({ x = x, y = p.y - o.position.y, z = z })
end

local function named_function(o, parameters, key)
  local name = parameters[key]
  if type(name) ~= "string" then
    error(key .. " must be a name", 0)
  end
  return name
end
function methods.createButton(o, parameters)
  named_function(o, parameters, "click_function")
  o.buttons[#o.buttons + 1] = crossing(parameters)
  return true
end
function methods.editButton(o, parameters)
  local button = o.buttons[(parameters.index or -1) + 1]
  if button == nil then
    error("there is no button " .. tostring(parameters.index), 0)
  end
  for key, value in pairs(parameters) do
    button[key] = crossing(value)
  end
  return true
end
function methods.removeButton(o, index)
  table.remove(o.buttons, index + 1)
  return true
end
function methods.clearButtons(o) o.buttons = {} return true end
function methods.getButtons(o)
  if #o.buttons == 0 then
    return nil
  end
  local list = {}
  for i, button in ipairs(o.buttons) do
    list[i] = crossing(button)
    list[i].index = i - 1
  end
  return list
end
function methods.createInput(o, parameters)
  named_function(o, parameters, "input_function")
  o.inputs[#o.inputs + 1] = crossing(parameters)
  return true
end
function methods.addContextMenuItem(o, label, action)
  o.menu[#o.menu + 1] = { label = label, action = action }
  return true
end
function methods.clearContextMenu(o) o.menu = {} return true end
function methods.setVectorLines(o, lines)
  for _, line in ipairs(lines) do
    if type(line.points) ~= "table" or #line.points < 2 then
      error("a line needs two points", 0)
    end
  end
  game.lines = crossing(lines)
  return true
end
-- A bag gives a new object; the callback comes when it has spawned.
function methods.takeObject(o, parameters)
  local token = game.spawn({
    name = o.vars.gives or o.name, kind = o.vars.gives_kind or "Generic", script = o.vars.gives_script,
    spawning = 2 + #game.order % 2, position = parameters.position or o.position, vars = o.vars.gives_vars,
    tags = o.vars.gives_tags,
  })
  token.still = 0
  token.callback = parameters.callback ~= nil and { owner = parameters.callback_owner, name = parameters.callback }
    or parameters.callback_function
  return game.ref(token)
end

-- ## Dice

-- The dice have a stream of their own, so that the same seed rolls the same faces whatever else happens.
local function roll_of_eight()
  game.dice_seed = game.dice_seed * 16807 % 2147483647
  return math.floor(game.dice_seed / 2147483647 * 8) + 1
end
-- Tumbles for about a second, and then shows the face that was rolled last.
local function roll(o)
  o.rolling = game.now + 1
  o.still = 0
  return true
end
methods.roll = roll
methods.randomize = roll
local function sides(o)
  local values = rawget(o.env, "diceValues")
  return values ~= nil and values[rawget(o.env, "dicecolor")] or {}
end
function methods.getRotationValue(o)
  if game.faults.dice == "unreadable" then
    return ""
  end
  return o.side ~= nil and (game.faults.dice == "numbered" and o.side or sides(o)[o.side]) or nil
end
local function tumble(o)
  o.still = 0
  if game.faults.dice == "leaning" or game.now < o.rolling then
    return
  end
  o.rolling = nil
  o.side = roll_of_eight()
  if game.faults.dice == "falling" then
    -- Only the first one falls.
    game.faults.dice = nil
    o.position.y = -40
  elseif game.faults.dice == "vanishing" then
    game.faults.dice = nil
    game.remove(o)
    return
  end
  game.rolled[#game.rolled + 1] = { colour = rawget(o.env, "dicecolor"), face = sides(o)[o.side], guid = o.guid }
end

-- ## Waiting

local Wait = {}

local function waiting(entry)
  game.next_wait = game.next_wait + 1
  entry.id = game.next_wait
  game.waits[#game.waits + 1] = entry
  return entry.id
end
function Wait.time(body, seconds, repetitions)
  assert(type(body) == "function", "Wait.time wants a function")
  return waiting({ body = body, due = game.now + seconds, every = seconds, left = repetitions or 1 })
end
function Wait.frames(body, frames)
  assert(type(body) == "function", "Wait.frames wants a function")
  return waiting({ body = body, frame = game.frame + (frames or 1) })
end
function Wait.condition(body, condition, seconds, otherwise)
  assert(type(condition) == "function", "Wait.condition wants a condition")
  return waiting({ body = body, condition = condition, due = seconds and game.now + seconds, otherwise = otherwise })
end
function Wait.stop(id)
  for i, entry in ipairs(game.waits) do
    if entry.id == id then
      entry.stopped = true
      table.remove(game.waits, i)
      return true
    end
  end
  return false
end
function Wait.stopAll()
  error("Wait.stopAll would end the waits of every other script", 0)
end

-- Whether an entry is over after this look.
local function look(entry)
  if entry.condition ~= nil then
    if guarded("condition", entry.condition) then
      guarded("wait", entry.body)
      return true
    elseif entry.due ~= nil and game.now >= entry.due then
      if entry.otherwise ~= nil then
        guarded("wait", entry.otherwise)
      end
      return true
    end
  elseif entry.frame ~= nil then
    if game.frame >= entry.frame then
      guarded("wait", entry.body)
      return true
    end
  elseif game.now >= entry.due then
    guarded("wait", entry.body)
    entry.left = entry.left > 0 and entry.left - 1 or entry.left
    entry.due = entry.due + entry.every
    return entry.left == 0
  end
  return false
end

-- ## Requests

local WebRequest = {}
function WebRequest.custom(url, method, download, data, headers, callback)
  assert(type(url) == "string" and type(method) == "string", "WebRequest.custom wants url and method")
  assert(type(data) == "string", "WebRequest.custom wants its data as text")
  for name, value in pairs(headers) do
    assert(type(name) == "string" and type(value) == "string", "headers are texts")
  end
  local id = host.request(url, method, data)
  local values = { url = url, is_done = false, is_error = false }
  local gone = false
  local instance = setmetatable({}, {
    __index = function(_, key)
      if gone and key ~= "dispose" then
        error("this request was disposed", 0)
      end
      if key == "dispose" then
        return function()
          if not gone then
            gone = true
            host.abort(id)
            if not game.web.reports_when_disposed then
              game.requests[id] = nil
            end
          end
        end
      end
      return values[key]
    end,
  })
  game.requests[id] = {
    since = game.now,
    done = function(reply)
      values.is_done = true
      values.text = download and reply.text or nil
      values.response_code = reply.code
      values.is_error = reply.error ~= nil
      values.error = reply.error
      gone = false
      guarded("request", callback, instance)
      if game.web.reports_twice then
        guarded("request", callback, instance)
      end
      gone = true
    end,
  }
  return instance
end

function WebRequest.get(url, callback)
  return WebRequest.custom(url, "GET", true, "", {}, callback)
end

-- ## Rays

-- A thing lies flat: a ray straight down hits it inside its shape, a polygon about its middle.
local function covers(object, x, z)
  local lx, lz = turned(object, { x = x - object.position.x, z = z - object.position.z }, -1)
  local inside, n = false, #object.shape
  for i = 1, n do
    local a, b = object.shape[i], object.shape[i % n + 1]
    if (a[2] > lz) ~= (b[2] > lz) and lx < (b[1] - a[1]) * (lz - a[2]) / (b[2] - a[2]) + a[1] then
      inside = not inside
    end
  end
  return inside
end

local function cast(parameters)
  game.casts = game.casts + 1
  if game.faults.rays == "fail" then
    error("the physics are out of order", 0)
  end
  local origin, direction = xyz(parameters.origin), xyz(parameters.direction)
  assert(parameters.type == 1 and direction.x == 0 and direction.z == 0 and direction.y < 0, "only rays straight down here")
  local hits = {}
  for _, object in ipairs(game.order) do
    local depth = origin.y - object.position.y
    if object.shape ~= nil and depth >= 0 and depth <= parameters.max_distance and covers(object, origin.x, origin.z) then
      hits[#hits + 1] = {
        point = vector({ x = origin.x, y = object.position.y, z = origin.z }), normal = vector({ x = 0, y = 1, z = 0 }),
        distance = depth, hit_object = game.ref(object),
      }
    end
  end
  return hits
end

-- ## What scripts see

function common(object)
  local Global = {
    call = function(name, argument)
      local body = rawget(game.unified, name)
      if type(body) ~= "function" then
        error("Global has no function " .. tostring(name), 0)
      end
      return crossing(body(crossing(argument)))
    end,
    getVar = function(name) return rawget(game.unified, name) end,
    setVar = function() error("Global is not ours to change", 0) end,
    getTable = function(name)
      local value = rawget(game.unified, name)
      return type(value) == "table" and crossing(value) or nil
    end,
  }
  return {
    Global = Global, Wait = Wait, WebRequest = WebRequest,
    Physics = game.faults.rays ~= "missing" and { cast = cast } or nil, JSON = host.JSON, json = host.json,
    getObjects = function()
      local list = {}
      for i, other in ipairs(game.order) do
        list[i] = game.ref(other)
      end
      return list
    end,
    getObjectsWithTag = function(tag)
      local list = {}
      for _, other in ipairs(game.order) do
        if other.tags[tag] and other.spawning == 0 then
          list[#list + 1] = game.ref(other)
        end
      end
      return list
    end,
    getObjectFromGUID = function(guid)
      local other = game.objects[guid]
      return other ~= nil and game.ref(other) or nil
    end,
    print = function(text) note("host: " .. tostring(text)) end,
    printToAll = function(text)
      assert(type(text) == "string", "printToAll wants a text")
      note(text)
    end,
    broadcastToAll = function(text) note(text) end,
    Player = setmetatable({}, {
      __index = function(_, colour)
        return {
          color = colour,
          getSelectedObjects = function()
            local list = {}
            for _, guid in ipairs(game.selected) do
              local other = game.objects[guid]
              if other ~= nil then
                list[#list + 1] = game.ref(other)
              end
            end
            return list
          end,
        }
      end,
    }),
    startLuaCoroutine = function(_, body)
      game.routines[#game.routines + 1] = coroutine.create(body)
      return true
    end,
    -- For the mod alone: the order of moves, worked out outside.
    probeMove = host.probe_move,
  }
end

-- The mod's Global script.
function game.start()
  local env = new_environment(common(nil), true)
  rawset(env, "objectsOf", function(kind)
    local list = {}
    for _, other in ipairs(game.order) do
      if other.kind == kind then
        list[#list + 1] = game.ref(other)
      end
    end
    return list
  end)
  rawset(env, "stackTokens", function() return game.stacking ~= false end)
  rawset(env, "faults", game.faults)
  rawset(env, "setQuantity", function(ref, quantity) game.record(ref).quantity = quantity end)
  game.unified = env
  local chunk, why = host.load(sources.unified, "=chunk_0", env)
  if chunk == nil then
    error(why, 0)
  end
  chunk()
end

-- ## Time

local function move_objects()
  local tumbling = {}
  for _, object in ipairs(game.order) do
    local moving = object.moving
    if object.rolling ~= nil then
      tumbling[#tumbling + 1] = object
    elseif moving ~= nil then
      local part = math.min(1, (game.now - moving.since) / moving.seconds)
      for _, key in ipairs({ "position", "rotation" }) do
        local way = moving[key]
        if way ~= nil then
          for _, axis in ipairs({ "x", "y", "z" }) do
            local by = way.to[axis] - way.from[axis]
            if key == "rotation" then
              by = (by + 180) % 360 - 180
            end
            object[key][axis] = way.from[axis] + by * part
          end
        end
      end
      object.still = 0
      if part >= 1 then
        object.moving = nil
      end
    else
      object.still = object.still + 1
    end
  end
  for _, object in ipairs(tumbling) do
    tumble(object)
  end
end

local function spawn_objects()
  local due = {}
  for _, object in ipairs(game.order) do
    if object.spawning > 0 then
      object.spawning = object.spawning - 1
      if object.spawning == 0 then
        due[#due + 1] = object
      end
    end
  end
  for _, object in ipairs(due) do
    game.loaded(object)
    if type(object.callback) == "function" then
      guarded("callback", object.callback, game.ref(object))
    elseif object.callback ~= nil then
      guarded("callback", rawget(game.unified, object.callback.name), game.ref(object))
    end
  end
end

function game.step()
  game.frame = game.frame + 1
  game.now = game.frame * frame_seconds
  move_objects()
  spawn_objects()
  local routines = game.routines
  game.routines = {}
  for _, routine in ipairs(routines) do
    local ok, why = coroutine.resume(routine)
    if not ok then
      report("coroutine", why)
    elseif coroutine.status(routine) ~= "dead" then
      game.routines[#game.routines + 1] = routine
    end
  end
  if game.unified.everyFrame ~= nil then
    guarded("mod", game.unified.everyFrame, game.frame)
  end
  local waits = {}
  for i, entry in ipairs(game.waits) do
    waits[i] = entry
  end
  for _, entry in ipairs(waits) do
    if not entry.stopped and look(entry) then
      Wait.stop(entry.id)
    end
  end
end

-- A reply came in from outside.
function game.replied(id, reply)
  local request = game.requests[id]
  game.requests[id] = nil
  if request ~= nil then
    request.done(reply)
  end
end

-- ## Players

local function clicked(object, name, ...)
  local body = rawget(object.env, name)
  if type(body) ~= "function" then
    report(object.guid, "no function " .. tostring(name))
    return false
  end
  guarded(object.guid .. " " .. name, body, game.ref(object), ...)
  return true
end

-- Presses the button whose label begins so; false if there is none.
function game.press(object, label, colour)
  for _, button in ipairs(object.buttons) do
    if string.sub(button.label, 1, #label) == label then
      return clicked(object, button.click_function, colour, false)
    end
  end
  return false
end

-- Types into the input of that name and leaves it.
function game.type_in(object, label, text, colour)
  for _, input in ipairs(object.inputs) do
    if input.label == label then
      input.value = text
      clicked(object, input.input_function, colour, text, true)
      return clicked(object, input.input_function, colour, text, false)
    end
  end
  return false
end

function game.choose_menu(object, label, colour)
  for _, item in ipairs(object.menu) do
    if item.label == label then
      guarded("menu", item.action, colour)
      return true
    end
  end
  return false
end

-- ## Saving

local function current_vars(object)
  local vars = {}
  for name in pairs(object.vars or {}) do
    -- Whose token it is, the mod's tokens do not save.
    if string.sub(name, -6) ~= "_owner" then
      vars[name] = crossing(rawget(object.env, name))
    end
  end
  return vars
end

-- Everything that a save file would hold. Variables of the mod's objects are part of it as far as the mod saves them.
function game.save()
  local save = { objects = {}, unified = game.unified.onSaveTable() }
  for i, object in ipairs(game.order) do
    local on_save = rawget(object.env, "onSave")
    if on_save ~= nil then
      local state = guarded(object.guid .. " onSave", on_save)
      object.state = type(state) == "string" and state or ""
    end
    local tags = {}
    for tag in pairs(object.tags) do
      tags[#tags + 1] = tag
    end
    save.objects[i] = {
      guid = object.guid, name = object.name, kind = object.kind, tags = tags, position = xyz(object.position, object.position),
      rotation = xyz(object.rotation, object.rotation), script = object.script, state = object.state,
      shape = object.shape, vars = current_vars(object), bounds = object.bounds, locked = object.locked, state_id = object.state_id,
      quantity = object.quantity, face_down = object.face_down, gm_notes = object.gm_notes, card_id = object.card_id,
      side = object.side,
    }
  end
  return save
end

-- Loads a save, as loading or rewinding does: every script starts anew with the state it saved.
function game.load(save)
  for id in pairs(game.requests) do
    host.abort(id)
  end
  game.objects, game.order, game.refs, game.ids, game.waits, game.routines, game.requests = {}, {}, {}, {}, {}, {}, {}
  game.lines, game.selected = {}, {}
  game.start()
  for _, spec in ipairs(save.objects) do
    local copy = crossing(spec)
    copy.quiet = true
    local object = game.spawn(copy)
    object.quantity, object.face_down = spec.quantity, spec.face_down
  end
  for _, object in ipairs(game.order) do
    game.loaded(object)
  end
  game.unified.onLoadTable(crossing(save.unified))
end

return game
