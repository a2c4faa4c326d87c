-- Where the game comes in.

function onSave()
  return Guard.value("", State.save)
end

-- Also called on rewind and when taken out of a bag: the table is another one then, so a new session begins and reads
-- all of it.
function onLoad(saved)
  Guard.run("start", function()
    Json.probe()
    State.instance = string.format("%d%04d", math.floor(os.time()), math.random(0, 9999))
    local known = State.restore(saved)
    State.loaded = known
    Panel.round = State.data.round
    Panel.open()
    if known then
      Panel.status("Loaded again; reading the table.")
    end
    -- The mod and the other objects load at the same time: look at them a little later.
    Guard.later("start", 1.5, function()
      Mod.probe()
      Lines.clear()
      Link.connect(false)
    end)
  end)
end

-- A player put something down: read the table again, once they have finished.
local drops = 0
function onObjectDrop(_, object)
  Guard.run("drop", function()
    if Link.state ~= "up" or Steps.running ~= nil then
      return
    end
    if Mod.is_ship(object) or Guard.value(false, function() return object.hasTag("Obstacle") end) then
      drops = drops + 1
      local mine = drops
      Guard.later("drop", 1.5, function()
        if drops == mine and Link.state == "up" and Steps.running == nil and not Panel.pressed then
          Link.sync()
          Probe.refresh()
        end
      end)
    end
  end)
end

function onDestroy()
  if Link.flight ~= nil then
    Link.drop(Link.flight)
  end
  Link.state = "off"
end
