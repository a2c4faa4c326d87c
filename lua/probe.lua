-- The real outlines of obstacles, felt with thin rays from above, for pieces that the program knows otherwise or not at
-- all. Only obstacles are felt, each once; the shapes are kept for as long as the table is open and never saved.
Probe = {
  shapes = {},      -- GUID and state -> flat local x, z pairs; false: it could not be felt
  running = false,
}

local directions = 36
local halvings = 9
local each_frame = 4    -- directions a frame: some forty rays
local smallest = 0.1    -- a shape that is nowhere wider than this is none

local function key(object)
  local guid = Guard.value("", function() return object.getGUID() end)
  local state = Guard.value(1, function() return object.getStateId() end)
  return guid .. ":" .. string.format("%d", state >= 1 and state or 1)
end

-- The shape of an obstacle, or nil where it was not felt.
function Probe.shape(object)
  if not State.data.probe then
    return nil
  end
  return Probe.shapes[key(object)] or nil
end

-- Whether a ray straight down at a place of the table meets the object.
local function meets(job, x, z)
  local hits = Physics.cast({
    origin = { x, job.top, z }, direction = { 0, -1, 0 }, type = 1, max_distance = job.depth,
  })
  for _, hit in pairs(hits) do
    if Guard.value("", function() return hit.hit_object.getGUID() end) == job.guid then
      return true
    end
  end
  return false
end

-- Where the shape ends in one direction from the middle, in the object's own frame.
local function feel(job, number)
  local angle = 2 * math.pi * number / directions
  local sin, cos = math.sin(angle), math.cos(angle)
  local near, far = 0, job.reach
  for _ = 1, halvings do
    local middle = (near + far) / 2
    if meets(job, job.x + middle * cos, job.z + middle * sin) then
      near = middle
    else
      far = middle
    end
  end
  job.widest = math.max(job.widest, near)
  local x, z = job.x + near * cos - job.pose.x, job.z + near * sin - job.pose.y
  -- rotY turns clockwise seen from above; this turns back.
  local turn = math.rad(job.pose.facing)
  local back, along = math.sin(turn), math.cos(turn)
  job.points[2 * number + 1] = Json.number(x * along - z * back)
  job.points[2 * number + 2] = Json.number(x * back + z * along)
end

local function begin(object)
  local bounds = object.getBounds()
  local size, centre = bounds.size, bounds.center
  local job = {
    guid = object.getGUID(), key = key(object), pose = Mod.pose(object), points = {}, widest = 0, number = 0,
    x = centre.x, z = centre.z, top = centre.y + size.y / 2 + 0.5, depth = size.y + 1,
    reach = math.sqrt(size.x * size.x + size.z * size.z) / 2 + 0.05,
  }
  if not meets(job, job.x, job.z) then
    error("its middle is not part of it")
  end
  return job
end

local next_one

-- A few directions, and the rest in the next frames.
local function go_on(job, waiting, done)
  local object = Guard.object(job.guid)
  if object == nil or not Mod.agree(Mod.pose(object), job.pose) then
    -- Somebody moves it; it is felt at the next occasion.
    next_one(waiting, done)
    return
  end
  local ok, why = Guard.try(function()
    for _ = 1, each_frame do
      if job.number < directions then
        feel(job, job.number)
        job.number = job.number + 1
      end
    end
  end)
  if not ok then
    Probe.give_up(job.key, object, why)
    next_one(waiting, done)
  elseif job.number >= directions then
    if job.widest < smallest then
      Probe.give_up(job.key, object, "the rays meet nothing")
    else
      Probe.shapes[job.key] = job.points
      Probe.found = Probe.found + 1
    end
    next_one(waiting, done)
  else
    Wait.frames(Guard.callback("probing", function() go_on(job, waiting, done) end), 1)
  end
end

function Probe.give_up(name, object, why)
  Probe.shapes[name] = false
  Guard.tell("the shape of " .. Mod.name(object) .. " could not be felt (" .. Guard.plain(why, 80)
    .. "); the outline that the program has for it counts.", { 1, 0.9, 0.5 })
end

next_one = function(waiting, done)
  local guid = Guard.shift(waiting)
  if guid == nil then
    Probe.running = false
    done(Probe.found)
    return
  end
  local object = Guard.object(guid)
  if object == nil or Mod.held(object) then
    next_one(waiting, done)
    return
  end
  local ok, job = Guard.try(begin, object)
  if ok then
    go_on(job, waiting, done)
  else
    Probe.give_up(key(object), object, job)
    next_one(waiting, done)
  end
end

-- Feels all obstacles that were not felt yet; `done` gets how many shapes are new. Does nothing unless it is switched on.
function Probe.all(done)
  if not State.data.probe or Probe.running then
    return
  end
  if Guard.value(nil, function() return Physics.cast end) == nil then
    State.data.probe = false
    State.touch()
    Guard.tell("this game has no rays to feel shapes with; the outlines that the program has count.", { 1, 0.9, 0.5 })
    Panel.redraw()
    return
  end
  local waiting, n = {}, 0
  for _, object in ipairs(Guard.value({}, getObjectsWithTag, "Obstacle")) do
    if Probe.shapes[key(object)] == nil then
      n = n + 1
      waiting[n] = Guard.value("", function() return object.getGUID() end)
    end
  end
  Probe.found = 0
  Probe.running = true
  next_one(waiting, done)
end

-- The same, and lets the program know.
function Probe.refresh()
  Probe.all(function(new)
    if new > 0 then
      Panel.status("Felt the shapes of " .. string.format("%d", new) .. " obstacles.")
      if Link.state == "up" and Steps.running == nil and not Panel.pressed then
        Link.sync()
      end
    end
  end)
end
