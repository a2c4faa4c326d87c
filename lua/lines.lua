-- The lines that show tally and arc while a decision stands. They are drawn on the controller, in its own frame.
Lines = { drawn = 0 }

local thickness = 0.06

function Lines.clear()
  Lines.drawn = Lines.drawn + 1
  Guard.try(function() self.setVectorLines({}) end)
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
  local drawn, n = {}, 0
  for i, line in ipairs(lines) do
    local ok, points = Guard.try(function()
      return {
        self.positionToLocal({ line[1], height, line[2] }), self.positionToLocal({ line[3], height, line[4] }),
      }
    end)
    if ok then
      n = n + 1
      -- The first line is the tally; the rest bound the arc.
      drawn[n] = {
        points = points, thickness = thickness,
        color = i == 1 and { 1, 0.35, 0.25 } or { 0.45, 0.8, 1 },
      }
    end
  end
  Lines.drawn = Lines.drawn + 1
  local mine = Lines.drawn
  Guard.try(function() self.setVectorLines(drawn) end)
  Guard.later("lines", 45, function()
    if Lines.drawn == mine then
      Lines.clear()
    end
  end)
end
