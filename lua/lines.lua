-- The lines that show tally and arc while a decision stands, and the table's own, which stay: the outlines of hyperspace
-- markers. They are drawn on the controller, in its own frame.
Lines = { drawn = 0 }

local thickness = 0.06

-- Lines of the controller's frame from world x1, z1, x2, z2, behind those that are there.
local function append(drawn, lines, height, colour)
  for i, line in ipairs(lines) do
    local ok, points = Guard.try(function()
      return {
        self.positionToLocal({ line[1], height, line[2] }), self.positionToLocal({ line[3], height, line[4] }),
      }
    end)
    if ok then
      drawn.n = drawn.n + 1
      drawn[drawn.n] = { points = points, thickness = thickness, color = colour(i) }
    end
  end
end

-- What stays: lines that are kept over a load of the table.
local function kept()
  local drawn = { n = 0 }
  append(drawn, State.data.marks, 1.2, function() return { 0.95, 0.85, 0.3 } end)
  return drawn
end

local function draw(drawn)
  drawn.n = nil
  Guard.try(function() self.setVectorLines(drawn) end)
end

function Lines.clear()
  Lines.drawn = Lines.drawn + 1
  draw(kept())
end

-- Keeps lines until others come.
function Lines.keep(lines)
  State.data.marks = type(lines) == "table" and lines or {}
  State.touch()
  Lines.clear()
end

-- Draws lines given as world x1, z1, x2, z2; none clears them. They go by themselves after a while.
function Lines.show(guid, lines)
  if type(lines) ~= "table" or lines[1] == nil then
    Lines.clear()
    return
  end
  local ship = Guard.object(guid)
  local height = 1.5
  if ship ~= nil then
    height = Guard.value(1, function() return ship.getPosition().y end) + 0.3
  end
  local drawn = kept()
  -- The first line is the tally; the rest bound the arc.
  append(drawn, lines, height, function(i) return i == 1 and { 1, 0.35, 0.25 } or { 0.45, 0.8, 1 } end)
  Lines.drawn = Lines.drawn + 1
  local mine = Lines.drawn
  draw(drawn)
  Guard.later("lines", 45, function()
    if Lines.drawn == mine then
      Lines.clear()
    end
  end)
end
