-- Whole rounds: whose turn it is, what the program keeps of each ship, and the buttons to go on, to go back and to put right.
Rounds = {
  phase = nil,        -- nil: only the activations of the solo ships are played
  turn = "",          -- GUID of the ship whose turn it is
  ledger = {},        -- ship GUID -> what the program keeps of it
  dice = "program",
  edition = "",       -- "first" where that one is played
  attack = nil,       -- the attack under way: one line
}

local phases = {
  planning = "planning", system = "system phase", activation = "activation", engagement = "engagement",
  ["end"] = "end phase", over = "the game is over",
}
local dice_words = { program = "the program's", table = "the table's", typed = "typed in" }
local next_dice = { program = "table", table = "typed", typed = "program" }

local green, amber, grey = { 0.1, 0.35, 0.15 }, { 0.5, 0.33, 0.05 }, { 0.25, 0.25, 0.28 }

function Rounds.on()
  return Rounds.phase ~= nil
end

function Rounds.name(guid)
  local ship = Guard.object(guid)
  return ship ~= nil and Guard.plain(Mod.name(ship), 32) or "a ship that is gone"
end

-- Whether it is the turn of a ship that the program flies.
function Rounds.solo_turn()
  local phase = Rounds.phase
  return (phase == "system" or phase == "activation" or phase == "engagement") and State.data.solo[Rounds.turn] == true
end

-- `round 3, engagement, turn of Academy Pilot`.
function Rounds.head()
  local head = ", " .. (phases[Rounds.phase] or Rounds.phase)
  if Rounds.turn ~= "" then
    head = head .. ", turn of " .. Rounds.name(Rounds.turn)
  end
  return head
end

-- The buttons below the others; fewer where only activations are played.
function Rounds.rows(list, button)
  local on = Rounds.on()
  button(list, on and "Plays: whole rounds" or "Plays: solo moves only", "tallyho_plays", -1.7, 2.3, 1600,
    on and amber or grey, "Whole rounds with attacks and damage, or only the activations of the solo ships")
  button(list, "Dice: " .. dice_words[Rounds.dice], "tallyho_dice", 1.7, 2.3, 1600, grey,
    "Rolled by the program, with the dice of the table, or by hand and typed in")
  if not on then
    return
  end
  button(list, "Skip this step", "tallyho_skip_step", -1.7, 2.85, 1600, grey,
    "Do not wait for the step, answer or roll that is waited for")
  button(list, "Skip this ship", "tallyho_skip_ship", 1.7, 2.85, 1600, grey, "Its turn is over")
  button(list, "Skip this phase", "tallyho_skip_phase", -1.7, 3.4, 1600, grey, "Go on with the next phase")
  button(list, "Undo turn", "tallyho_undo_turn", 1.7, 3.4, 1600, grey, "Take the last turn of a ship back as a whole")
  button(list, "Undo phase", "tallyho_undo_phase", -1.7, 3.95, 1600, grey, "Take back everything since the phase began")
  button(list, Sheet.ship ~= nil and "Close ship sheet" or "Ship sheet...", "tallyho_sheet", 1.7, 3.95, 1600,
    Sheet.ship ~= nil and green or grey, "Hull, shields, damage and charges of the selected ship")
  -- Only a game with a score has a clock.
  if string.find(Panel.line, "Score: attacker", 1, true) then
    button(list, "Time is up", "tallyho_skip_game", -1.7, 4.5, 1600, grey, "This round is the last one; the score decides")
  end
end

-- ## What the program tells

local function keep(entry)
  if type(entry) ~= "table" or type(entry.ship) ~= "string" then
    return
  end
  Rounds.ledger[entry.ship] = entry
  Cards.show(entry.ship, tonumber(entry.shields) or 0, tonumber(entry.force) or 0)
end

local function faces(list)
  return type(list) == "table" and list[1] ~= nil and table.concat(list, ", ") or nil
end

-- Events of whole rounds; true if it was one.
function Rounds.event(event)
  local kind = event.kind
  if kind == "phase" then
    Rounds.phase = event.phase
    Panel.round = tonumber(event.round) or Panel.round
    Guard.tell(string.format("Round %d, ", Panel.round) .. (phases[event.phase] or tostring(event.phase)) .. ".")
    Panel.think(1)
  elseif kind == "attack" then
    local message = type(event.message) == "string" and event.message or ""
    local attack, defence = faces(event.attack), faces(event.defence)
    local dice = (attack ~= nil and " Attack: " .. attack .. "." or "") .. (defence ~= nil and " Defence: " .. defence .. "." or "")
    Panel.status(message .. dice)
    -- The sentences are said as steps; how the dice lie after they were changed is told here alone.
    if event.stage == "modified" then
      Guard.tell(message .. dice)
    end
    if event.stage == "resolved" then
      Panel.think(2)
    end
  elseif kind == "ledger" then
    keep(event.entry)
  else
    return false
  end
  Panel.redraw()
  return true
end

-- The part of a status that concerns whole rounds. A status without a phase says that only activations are played.
function Rounds.status(event)
  Rounds.phase = event.phase
  Rounds.turn = type(event.turn) == "string" and event.turn or ""
end

-- Asks how the game stands: after a load nothing of it is known here.
function Rounds.refresh()
  Link.request("game/status", {}, function(result)
    if result == nil then
      return
    end
    Rounds.dice = dice_words[result.dice] ~= nil and result.dice or Rounds.dice
    Rounds.phase = result.plays == "rounds" and result.phase or nil
    Rounds.turn = type(result.turn) == "string" and result.turn or ""
    Rounds.edition = type(result.edition) == "string" and result.edition or ""
    for _, entry in ipairs(type(result.ledger) == "table" and result.ledger or {}) do
      keep(entry)
    end
    Panel.redraw()
  end)
end

function Rounds.forget()
  Rounds.ledger = {}
  Sheet.ship = nil
end

-- ## Presses

local function options(change, done)
  if not Panel.ready(nil) then
    return
  end
  change.opId = State.operation()
  Link.sync()
  Link.request("game/options", change, function(result, fault)
    if result == nil then
      Panel.read_out(fault)
      return
    end
    done()
    if type(result.message) == "string" and result.message ~= "" then
      Panel.status(result.message)
      Guard.tell(result.message)
    end
    Panel.redraw()
  end)
end

function tallyho_plays()
  Guard.run("press", function()
    local wanted = Rounds.on() and "activations" or "rounds"
    options({ plays = wanted }, function()
      Panel.auto = false
      Rounds.refresh()
    end)
  end)
end

function tallyho_dice()
  Guard.run("press", function()
    local wanted = next_dice[Rounds.dice]
    if wanted == "table" and not Dice.here() then
      Guard.tell("No bag of the mod's dice is on this table, so they are typed in or rolled by the program.", { 1, 0.9, 0.5 })
      wanted = "typed"
    end
    options({ dice = wanted }, function() Rounds.dice = wanted end)
  end)
end

local function order(method, params)
  Guard.run("press", function()
    if Link.state ~= "up" then
      Panel.status("Not connected. Start `tallyho serve`, then press Connect.")
      return
    end
    Panel.auto = false
    Panel.order(method, params)
  end)
end

function tallyho_skip_step() order("game/skip", { what = "step" }) end
function tallyho_skip_ship() order("game/skip", { what = "ship" }) end
function tallyho_skip_phase() order("game/skip", { what = "phase" }) end
function tallyho_skip_game() order("game/skip", { what = "game" }) end

local function undo(scope)
  Guard.run("press", function()
    if Panel.ready(nil) then
      Panel.auto = false
      Link.sync()
      Panel.order("solo/undo", { scope = scope })
    end
  end)
end

function tallyho_undo_turn() undo("turn") end
function tallyho_undo_phase() undo("phase") end
