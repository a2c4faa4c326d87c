-- What the player sees and presses: buttons and a menu on the controller, the status line, questions.
Panel = {
  line = "Looking at the table.",
  round = 0,
  waiting = nil,
  auto = false,
  pressed = false,      -- a press that the program has not answered
  ships_open = false,
  first_row = 0,
  rows = {},
  rows_most = 12,
  options_most = 9,     -- answers shown at once
  page = 0,             -- which of them
  questions = { n = 0 },
  asked = {},           -- question id -> answer given
  drawn = nil,
}

-- Shows one line on the tile.
function Panel.status(text)
  Panel.line = Guard.plain(text, 150)
  Panel.redraw()
end

-- ## Layout

local ink = { 0.12, 0.14, 0.18 }
local black = { 0.05, 0.06, 0.08 }

local function button(list, label, click, x, z, width, colour, tooltip)
  Guard.push(list, {
    label = label, click_function = click, function_owner = self, position = { x, 0.6, z }, width = width, height = 230,
    font_size = 120, color = colour or ink, font_color = { 1, 1, 1 }, tooltip = tooltip or "",
  })
end

local green, amber, red, grey = { 0.1, 0.35, 0.15 }, { 0.5, 0.33, 0.05 }, { 0.45, 0.12, 0.1 }, { 0.25, 0.25, 0.28 }

local function status_text()
  local head = "offline"
  if Link.state == "up" then
    head = "round " .. string.format("%d", Panel.round)
    if Rounds.on() then
      head = head .. Rounds.head()
    elseif Panel.waiting ~= nil then
      head = head .. ", " .. string.format("%d", Panel.waiting) .. " to fly"
    end
  end
  return "Tallyho, " .. head .. "\n" .. Guard.wrap(Panel.line, 72, 3)
end

local function ship_rows(list)
  local ships, n = {}, 0
  for _, object in ipairs(Mod.ships()) do
    local guid = Guard.value("", function() return object.getGUID() end)
    if guid ~= "" then
      n = n + 1
      ships[n] = { guid = guid, name = Guard.plain(Mod.name(object), 28) }
    end
  end
  -- GUIDs are lower-case letters and digits, so this order is the same in every language.
  table.sort(ships, function(a, b) return a.guid < b.guid end)
  if Panel.first_row >= n then
    Panel.first_row = 0
  end
  Panel.rows = {}
  local shown = 0
  for i = Panel.first_row + 1, math.min(n, Panel.first_row + Panel.rows_most) do
    local entry = ships[i]
    shown = shown + 1
    Panel.rows[shown] = entry.guid
    local solo = State.data.solo[entry.guid] == true
    button(list, (solo and "solo: " or "player: ") .. entry.name .. " (" .. entry.guid .. ")", "tallyho_row_" .. shown,
      6.4, -2.4 + 0.55 * shown, 2000, solo and red or grey, "Press to fly this ship, or to give it back")
  end
  local below = -2.4 + 0.55 * (Panel.rows_most + 1)
  button(list, "Selected: waiting", "tallyho_waiting", 5.3, below, 950, grey,
    "The selected solo ships fly again this round, as after a rewind")
  button(list, "Selected: done", "tallyho_done", 7.5, below, 950, grey, "The selected solo ships have flown this round")
  if n > Panel.rows_most then
    button(list, "More ships", "tallyho_more", 6.4, below + 0.55, 2000)
  end
end

local function buttons()
  local list = { n = 0 }
  local ready = Link.state == "up"
  local act = ready and green or grey
  button(list, status_text(), "tallyho_sync", 0, -2.6, 3300, black, "Press to read the table again")
  list[1].height = 480
  list[1].font_size = 95
  button(list, Rounds.on() and "Next" or "Next solo ship", "tallyho_next", -1.7, -1.6, 1600, act,
    Rounds.on() and "Done with this turn: go on with the next" or "Fly the next solo ship by initiative")
  button(list, "This initiative", "tallyho_initiative", 1.7, -1.6, 1600, act, "Fly all solo ships of this initiative")
  button(list, "Whole round", "tallyho_round", -1.7, -1.05, 1600, act, "Fly every solo ship that still waits this round")
  button(list, Panel.auto and "Auto: on" or "Auto: off", "tallyho_auto", 1.7, -1.05, 1600, Panel.auto and amber or grey,
    "Go on with the next solo ship by itself until the round is over")
  button(list, State.data.confirm and "Ask first: on" or "Ask first: off", "tallyho_confirm", -1.7, -0.5, 1600,
    State.data.confirm and amber or grey, "Show each decision and ask before it is carried out")
  button(list, "Undo", "tallyho_undo", 1.7, -0.5, 1600, grey,
    Rounds.on() and "Take the last step back" or "Take the last activation back")
  button(list, Panel.ships_open and "Close ship list" or "Solo ships...", "tallyho_ships", -1.7, 0.05, 1600, grey,
    "Choose which ships are flown")
  button(list, "Selected: solo on/off", "tallyho_selected", 1.7, 0.05, 1600, grey,
    "Select ships on the table first; each changes sides")
  button(list, "Ship is stuck", "tallyho_stuck", -1.7, 0.6, 1600, grey, "Unlocks selected ships by the mod's own diag")
  button(list, "Connect", "tallyho_connect", 1.7, 0.6, 1600, ready and grey or amber, "Use the port and token below")
  button(list, State.data.probe and "Feel obstacles: on" or "Feel obstacles: off", "tallyho_probe", 0, 1.75, 3300,
    State.data.probe and amber or grey, "Take the shapes of obstacles from the table in place of the program's outlines")
  Rounds.rows(list, button)
  if Panel.ships_open then
    ship_rows(list)
  else
    Sheet.rows(list, button)
  end
  Panel.question_rows(list, button)
  return list
end

-- Brings the buttons up to date, once a frame at most; only what changed is touched.
local function draw()
  local list = buttons()
  local drawn = Panel.drawn
  if drawn ~= nil and drawn.n == list.n then
    for i = 1, list.n do
      local old, new = drawn[i], list[i]
      if old.label ~= new.label or old.color ~= new.color or old.click_function ~= new.click_function then
        self.editButton({ index = i - 1, label = new.label, color = new.color, click_function = new.click_function,
          tooltip = new.tooltip })
      end
    end
  else
    self.clearButtons()
    for i = 1, list.n do
      self.createButton(list[i])
    end
  end
  Panel.drawn = list
end

function Panel.redraw()
  if Panel.due then
    return
  end
  Panel.due = true
  Wait.frames(function()
    Panel.due = false
    Guard.run("drawing the buttons", draw)
  end, 1)
end

function Panel.inputs()
  self.createInput({
    input_function = "tallyho_port", function_owner = self, label = "port", value = State.port(),
    position = { -1.7, 0.6, 1.2 }, width = 1600, height = 230, font_size = 120, validation = 2, alignment = 3,
    tooltip = "Port of `tallyho serve`",
  })
  self.createInput({
    input_function = "tallyho_token", function_owner = self, label = "token", value = "",
    position = { 1.7, 0.6, 1.2 }, width = 1600, height = 230, font_size = 90, alignment = 3,
    tooltip = "Table token; leave it empty to use the installed one",
  })
end

-- ## Playing

-- Whether a press may be sent now; says why not.
function Panel.ready(colour)
  if Link.state ~= "up" then
    Panel.status("Not connected. Start `tallyho serve`, then press Connect.")
    return false
  end
  if Panel.pressed then
    Panel.status("The last press has not been answered yet.")
    return false
  end
  return colour == nil or colour ~= "Grey"
end

function Panel.read_out(fault)
  local text = Guard.plain(fault.message or "no reason given", 300)
  Panel.status(text)
  Guard.tell(text, { 1, 0.7, 0.3 })
end

-- With auto on: presses on after so many seconds, unless something else was planned since.
function Panel.think(seconds)
  if not Panel.auto then
    return
  end
  Panel.thought = (Panel.thought or 0) + 1
  local mine = Panel.thought
  Guard.later("auto", seconds, function()
    if Panel.thought ~= mine or not Panel.auto then
      return
    end
    if Link.state ~= "up" or Panel.pressed or Steps.running ~= nil or Dice.current ~= nil or Panel.questions.n > 0 then
      Panel.think(1)
    elseif Rounds.on() and not Rounds.solo_turn() then
      -- The players have something to do; their moves and dials end no turn of ours.
      Panel.think(2)
    else
      Panel.advance("ship")
    end
  end)
end

-- Presses on. The table is read first, always; what players moved themselves nobody has told.
function Panel.advance(scope)
  Panel.pressed = true
  -- The table was read this very moment: naming it saves the program asking for it again.
  local rev = Link.sync() and State.data.rev or 0
  Link.request("solo/advance", { opId = State.operation(), scope = scope, confirm = State.data.confirm, rev = rev },
    function(result, fault)
      Panel.pressed = false
      if result == nil then
        local kind = type(fault.data) == "table" and fault.data.kind or ""
        if Panel.auto and kind == "busy" then
          Panel.think(2)
          return
        end
        Panel.auto = false
        Panel.read_out(fault)
        return
      end
      local message = type(result.message) == "string" and result.message or ""
      if type(result.ships) == "table" and result.ships[1] ~= nil then
        Panel.status(message)
        -- The end of the activation wakes it up earlier.
        Panel.think(15)
      else
        if not Rounds.on() then
          Panel.auto = false
        end
        message = message ~= "" and message or "No solo ship waits this round."
        Panel.status(message)
        Guard.tell(message)
      end
    end)
  Panel.redraw()
end

-- A request whose answer is one sentence.
function Panel.order(method, params)
  params.opId = State.operation()
  Link.request(method, params, function(result, fault)
    if result == nil then
      Panel.read_out(fault)
    elseif type(result.message) == "string" and result.message ~= "" then
      Panel.status(result.message)
      Guard.tell(result.message)
    end
  end)
end

-- Makes a ship a solo ship, or gives it back to the players.
function Panel.assign(guid, solo)
  if solo then
    State.data.solo[guid] = true
  else
    State.data.solo[guid] = nil
  end
  State.touch()
  if Link.state == "up" then
    Link.sync()
    Panel.order("solo/assign", { ship = guid, solo = solo })
  end
  Panel.redraw()
end

-- What the program tells everybody.
function Panel.event(event)
  local kind = event.kind
  if Rounds.event(event) then
    return
  end
  if kind == "decided" then
    Panel.status(event.sentence or "")
  elseif kind == "activated" then
    Panel.status(event.message or "")
    Panel.think(1)
  elseif kind == "replanned" then
    Guard.tell(event.message or "", { 1, 0.7, 0.3 })
    Panel.status(event.message or "")
    Panel.think(2)
  elseif kind == "round" then
    Panel.round = tonumber(event.round) or Panel.round
    State.data.round = Panel.round
    State.touch()
    Panel.redraw()
  elseif kind == "note" then
    Guard.tell(event.message or "", { 1, 0.9, 0.5 })
    Panel.status(event.message or "")
    Panel.think(2)
  elseif kind == "status" then
    Panel.round = tonumber(event.round) or Panel.round
    Panel.waiting = tonumber(event.waiting)
    Rounds.status(event)
    if State.data.round ~= Panel.round then
      State.data.round = Panel.round
      State.touch()
    end
    Panel.status(event.text or "")
  end
end

-- What the program could not use of the table, told once for each object and message.
Panel.warned = {}
function Panel.synced(result)
  for _, warning in ipairs(type(result.warnings) == "table" and result.warnings or {}) do
    local text = Guard.plain(warning.message or "", 300)
    local key = tostring(warning.object) .. text
    -- That a ship stands beside the mat which we put there is no news.
    if text ~= "" and not State.data.removed[warning.object] and not Panel.warned[key] then
      Panel.warned[key] = true
      Guard.tell(text, { 1, 0.9, 0.5 })
    end
  end
end

function Panel.connected(result, was_down)
  Rounds.refresh()
  local server = type(result.server) == "table" and result.server or {}
  Panel.status("Connected to " .. tostring(server.name or "the program") .. " " .. tostring(server.version or "") .. ".")
  if was_down then
    Guard.tell("connected again.")
  end
  local lacks = table.concat(Mod.missing, "; ")
  if lacks ~= "" and Panel.lacks ~= lacks then
    Panel.lacks = lacks
    Guard.tell("This table cannot do by itself: " .. lacks .. ". Those steps are announced instead.", { 1, 0.9, 0.5 })
  end
end

-- Another session: what was pressed and asked in the old one is void.
function Panel.forget()
  Panel.pressed = false
  Panel.auto = false
  Rounds.forget()
  Panel.questions = { n = 0 }
  Panel.asked = {}
  Panel.redraw()
end
