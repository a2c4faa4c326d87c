-- What the player presses. The game calls these functions by name, with the object, the player's colour and whether it was
-- the other mouse button.

function tallyho_nothing()
end

function tallyho_next(_, colour)
  Guard.run("press", function()
    if Panel.ready(colour) then
      Panel.advance("ship")
    end
  end)
end

function tallyho_initiative(_, colour)
  Guard.run("press", function()
    if Panel.ready(colour) then
      Panel.advance("initiative")
    end
  end)
end

function tallyho_round(_, colour)
  Guard.run("press", function()
    if Panel.ready(colour) then
      Panel.advance("round")
    end
  end)
end

function tallyho_auto(_, colour)
  Guard.run("press", function()
    if Panel.auto then
      Panel.auto = false
      Panel.redraw()
    elseif Panel.ready(colour) then
      Panel.auto = true
      Panel.advance("ship")
    end
  end)
end

function tallyho_confirm()
  Guard.run("press", function()
    State.data.confirm = not State.data.confirm
    State.touch()
    Panel.redraw()
  end)
end

function tallyho_probe()
  Guard.run("press", function()
    State.data.probe = not State.data.probe
    State.touch()
    Panel.redraw()
    if State.data.probe then
      -- What could not be felt before is tried again.
      Probe.shapes = {}
      Probe.refresh()
    elseif Link.state == "up" then
      Link.sync()
    end
  end)
end

function tallyho_undo(_, colour)
  Guard.run("press", function()
    if Panel.ready(colour) then
      Panel.auto = false
      Link.sync()
      Panel.order("solo/undo", {})
    end
  end)
end

function tallyho_sync()
  Guard.run("press", function()
    Mod.probe()
    if Link.state == "up" then
      Link.sync(function(result)
        if result ~= nil then
          Panel.status(string.format("%d ships and %d obstacles read.", tonumber(result.ships) or 0,
            tonumber(result.obstacles) or 0))
        end
      end)
    else
      Panel.status("Not connected. Start `tallyho serve`, then press Connect.")
    end
  end)
end

function tallyho_ships()
  Guard.run("press", function()
    Panel.ships_open = not Panel.ships_open
    Sheet.ship = nil
    Panel.redraw()
  end)
end

function tallyho_more()
  Guard.run("press", function()
    Panel.first_row = Panel.first_row + Panel.rows_most
    Panel.redraw()
  end)
end

-- Does something with each ship that a player has selected.
function Panel.selected(colour, action)
  local objects = Guard.value({}, function() return Player[colour].getSelectedObjects() end)
  local n = 0
  for _, object in ipairs(type(objects) == "table" and objects or {}) do
    if Mod.is_ship(object) then
      n = n + 1
      action(object)
    end
  end
  if n == 0 then
    Panel.status("Select one or more ships on the table first.")
  end
end

function tallyho_selected(_, colour)
  Guard.run("press", function()
    Panel.selected(colour, function(object)
      local guid = object.getGUID()
      Panel.assign(guid, not State.data.solo[guid])
    end)
  end)
end

-- Sets the selected solo ships back to waiting, or to done: after a rewind the program still counts those that had flown.
local function set_activated(colour, activated)
  Guard.run("press", function()
    if Link.state ~= "up" then
      Panel.status("Not connected. Start `tallyho serve`, then press Connect.")
      return
    end
    Panel.selected(colour, function(object)
      if State.data.solo[object.getGUID()] then
        Panel.order("solo/override", { ship = object.getGUID(), activated = activated })
      else
        Panel.status(Mod.name(object) .. " is no solo ship.")
      end
    end)
  end)
end

function tallyho_waiting(_, colour)
  set_activated(colour, "waiting")
end

function tallyho_done(_, colour)
  set_activated(colour, "done")
end

-- The mod's own way to unlock a ship: a command in its description.
function tallyho_stuck(_, colour)
  Guard.run("press", function()
    Panel.selected(colour, function(object)
      object.setDescription("diag")
      Panel.status("Told the mod to unlock " .. Mod.name(object) .. ".")
    end)
  end)
end

function tallyho_connect()
  Guard.run("press", function()
    Link.told = nil
    Link.told_down = false
    Link.failures = 0
    Link.strange = 0
    Mod.probe()
    Link.connect(false)
  end)
end

function tallyho_port(_, _, value, editing)
  Guard.run("input", function()
    if editing then
      return
    end
    local port = tonumber(value)
    if port == nil or port < 1 or port > 65535 or port ~= math.floor(port) then
      Panel.status("A port is a whole number from 1 to 65535.")
      return
    end
    local text = string.format("%d", port)
    if text ~= State.port() then
      State.set_link(text, State.token())
      Panel.status("Port " .. text .. " from now on.")
      tallyho_connect()
    end
  end)
end

function tallyho_token(_, _, value, editing)
  Guard.run("input", function()
    if editing then
      return
    end
    local token = string.gsub(tostring(value), "%s+", "")
    if token == "" then
      token = Install.token
    end
    if token ~= State.token() then
      State.set_link(State.port(), token)
      Panel.status("Another token from now on.")
      tallyho_connect()
    end
  end)
end

for i = 1, Panel.rows_most do
  _G["tallyho_row_" .. string.format("%d", i)] = function()
    Guard.run("press", function()
      local guid = Panel.rows[i]
      if guid ~= nil then
        Panel.assign(guid, not State.data.solo[guid])
      end
    end)
  end
end

-- Draws everything and fills the controller's own menu.
function Panel.open()
  Panel.inputs()
  for _, item in ipairs({
    { "Next solo ship", "tallyho_next" }, { "This initiative", "tallyho_initiative" }, { "Whole round", "tallyho_round" },
    { "Auto on/off", "tallyho_auto" }, { "Ask first on/off", "tallyho_confirm" }, { "Undo", "tallyho_undo" },
    { "Selected: solo on/off", "tallyho_selected" }, { "Selected: waiting", "tallyho_waiting" },
    { "Selected: done", "tallyho_done" }, { "Feel obstacles on/off", "tallyho_probe" }, { "Read the table", "tallyho_sync" },
    { "Selected ship is stuck", "tallyho_stuck" },
  }) do
    local name = item[2]
    self.addContextMenuItem(item[1], function(colour) _G[name](self, colour) end)
  end
  Panel.redraw()
end
