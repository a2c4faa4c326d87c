-- Where the mats lie, and the room beside them.

-- The mats that lie on the table, as middle and half sides. Parked ones lie below it.
local function mats()
  local list = { n = 0 }
  for _, guid in ipairs(Mod.mats) do
    local mat = Guard.object(guid)
    local area = mat ~= nil and Guard.value(nil, function()
      local position, size = mat.getPosition(), mat.getBoundsNormalized().size
      return { x = position.x, y = position.y, z = position.z, half_x = size.x / 2, half_z = size.z / 2 }
    end) or nil
    if area ~= nil and area.y > -2 and area.half_x > 5 then
      Guard.push(list, area)
    end
  end
  return list
end

local function lies_on(area, place)
  return place.x >= area.x - area.half_x and place.x <= area.x + area.half_x
    and place.z >= area.z - area.half_z and place.z <= area.z + area.half_z
end

function Mod.on_a_mat(object)
  local place = Guard.value(nil, function() return object.getPosition() end)
  local areas = mats()
  for i = 1, place ~= nil and areas.n or 0 do
    if lies_on(areas[i], place) then
      return true
    end
  end
  return false
end

-- A free place beside the mat that a ship lies on, or beside any.
function Mod.parking_place(object)
  local here = Guard.value(nil, function() return object.getPosition() end)
  local areas = mats()
  local area = areas[1]
  for i = 1, here ~= nil and areas.n or 0 do
    if lies_on(areas[i], here) then
      area = areas[i]
    end
  end
  if area == nil or here == nil then
    return nil
  end
  for slot = 0, 40 do
    local place = { area.x - area.half_x - 3, here.y, area.z + area.half_z - 2 - 3 * (slot % 10) }
    place[1] = place[1] - 3 * math.floor(slot / 10)
    local free = true
    for _, other in ipairs(Mod.ships()) do
      local there = Guard.value(nil, function() return other.getPosition() end)
      free = free and (there == nil or math.abs(there.x - place[1]) > 2.5 or math.abs(there.z - place[3]) > 2.5)
    end
    if free then
      return place
    end
  end
  return nil
end

-- The height at which ships stand on the mat; a ship that comes from beside it may stand higher or lower.
function Mod.level(object)
  for _, other in ipairs(Mod.ships()) do
    if Mod.on_a_mat(other) then
      return Guard.value(1, function() return other.getPosition().y end)
    end
  end
  return Guard.value(1, function() return object.getPosition().y end)
end

-- The height at which obstacles are laid down: a little above another one on the mat, else above the mat itself.
function Mod.lying_height(object)
  for _, other in ipairs(Guard.value({}, getObjectsWithTag, "Obstacle")) do
    if other ~= object and Mod.on_a_mat(other) then
      return Guard.value(1, function() return other.getPosition().y end) + 0.1
    end
  end
  local areas = mats()
  return (areas[1] ~= nil and areas[1].y or 1) + 0.3
end
