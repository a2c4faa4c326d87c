-- The line to the program: JSON-RPC messages in one long poll at a time. Everything may arrive twice or not at all;
-- numbers and ids make it count once.
Link = {
  state = "off",        -- off, connecting, up, waiting (for another try), stopped (needs the player)
  outbox = { n = 0 },   -- texts of messages that no reply has confirmed yet
  pending = {},         -- id -> function(result, error)
  ids = 0,
  failures = 0,
  strange = 0,          -- replies in a row that were not ours
  generation = 0,
  flight = nil,         -- the request under way
  hold = 5,
  patience = 10,        -- seconds after which a request is given up
  port = nil,           -- where the program was found; else the port that is built or typed in
}

local waits = { 0.5, 1, 2, 5 }
local stopped_retry = 20
local aged_seconds = 0.3 -- after this long the program has surely read a request
local body_most = 400000
local look_seconds = 2   -- for the answer to "who are you?"
local search_after = 4   -- polls in vain after which the program is looked for on its other ports, too

local function url(path)
  return "http://127.0.0.1:" .. (Link.port or State.port()) .. path
end

local function enqueue(message)
  message.jsonrpc = "2.0"
  local ok, text = Json.write(message)
  if not ok then
    pcall(print, "Tallyho: a message could not be written: " .. tostring(text))
    return false
  end
  Guard.push(Link.outbox, text)
  return true
end

-- Sends what is queued at once: a poll that only waits for news is given up for it. What it brought would come again,
-- and what it carried is sent again; the numbers and ids make both count once.
local function nudge()
  if Link.handling or Link.state ~= "up" then
    return
  end
  local flight = Link.flight
  if flight == nil then
    Link.poll()
  elseif flight.carried == 0 or flight.aged then
    Link.drop(flight)
    Link.poll()
  else
    flight.urgent = true
  end
end

-- A request to the program; `answered` gets the result, or nil and the error.
function Link.request(method, params, answered)
  Link.ids = Link.ids + 1
  local id = State.instance .. ":" .. string.format("%d", Link.ids)
  if enqueue({ id = id, method = method, params = params }) then
    Link.pending[id] = answered or function() end
    nudge()
  end
end

function Link.notify(method, params)
  if enqueue({ method = method, params = params }) then
    nudge()
  end
end

function Link.reply(id, result)
  if enqueue({ id = id, result = result }) then
    nudge()
  end
end

function Link.refuse(id, code, text)
  if enqueue({ id = id, error = { code = code, message = text } }) then
    nudge()
  end
end

-- Sends the whole table; false if it could not be read.
function Link.sync(answered)
  local ok, params = Guard.try(Snapshot.take)
  if not ok then
    Panel.status("The table could not be read: " .. Guard.plain(params, 120))
    return false
  end
  Link.request("table/sync", params, function(result, fault)
    if result ~= nil then
      State.loaded = false
      Panel.synced(result)
    end
    if answered ~= nil then
      answered(result, fault)
    end
  end)
  return true
end

-- Gives a request up: its reply, if one comes, is not looked at.
function Link.drop(flight)
  if Link.flight == flight then
    Link.flight = nil
  end
  flight.over = true
  if flight.watch ~= nil then
    Guard.try(function() Wait.stop(flight.watch) end)
  end
  if flight.handle ~= nil then
    Guard.try(function() flight.handle.dispose() end)
  end
end

local function give_up_pending(text)
  local pending = Link.pending
  Link.pending = {}
  for _, answered in pairs(pending) do
    Guard.run("answer", answered, nil, { message = text, data = { kind = "sessionLost", retry = "later" } })
  end
end

-- Begins a session. `resume` names the one before, if it broke off while the table stayed as it was.
function Link.connect(resume)
  if Link.flight ~= nil then
    Link.drop(Link.flight)
  end
  if not resume then
    Link.old = nil
  elseif State.data.session ~= "" then
    Link.old = State.data.session
  end
  State.data.session = ""
  State.data.ack = 0
  State.touch()
  Link.outbox = { n = 0 }
  give_up_pending("The connection was lost.")
  Steps.forget()
  Dice.forget()
  Panel.forget()
  Link.state = "connecting"
  Link.ids = Link.ids + 1
  local id = State.instance .. ":" .. string.format("%d", Link.ids)
  local params = {
    protocol = { min = 1, max = 1 },
    client = { name = "tallyho-tts", version = Install.version },
    auth = State.token(),
    role = "table",
    capabilities = { dialect = "tts", steps = Mod.steps, prompt = true, dice = Dice.here(), rounds = true, terse = true },
  }
  if Link.old ~= nil then
    params.resume = { session = Link.old, lastSeq = Link.seq or 0 }
  end
  enqueue({ id = id, method = "initialize", params = params })
  Link.pending[id] = Link.initialized
  Link.look()
end

function Link.initialized(result, fault)
  if result == nil then
    local kind = fault.data ~= nil and fault.data.kind or ""
    local text = Guard.plain(fault.message or "no reason given", 160)
    if kind == "auth" or kind == "role" then
      Link.stop("The program refused the token (" .. text .. "). Run `tallyho install tts` again and put the new "
        .. "controller on the table, or type the token in here.")
    elseif kind == "version" then
      Link.stop("Program and controller do not fit together (" .. text .. "). Run `tallyho install tts` again and put "
        .. "the new controller on the table.")
    else
      Link.failed(text)
    end
    return
  end
  State.data.session = tostring(result.session or "")
  State.touch()
  Link.state = "up"
  Link.failures = 0
  Link.strange = 0
  local was_down = Link.told_down
  Link.told_down = false
  Link.notify("initialized", {})
  Link.sync()
  Panel.connected(result, was_down)
  Probe.refresh()
end

-- Stops asking often: only the player can help. Now and then it is tried again all the same, unless for good.
function Link.stop(text, for_good)
  Link.state = "stopped"
  if Link.flight ~= nil then
    Link.drop(Link.flight)
  end
  if Link.told ~= text then
    Link.told = text
    Guard.tell(text, { 1, 0.7, 0.3 })
  end
  Panel.status(text)
  if not for_good then
    Link.again(stopped_retry)
  end
end

-- One try after so many seconds; a later call replaces an earlier one.
function Link.again(seconds)
  Link.tries = (Link.tries or 0) + 1
  local mine = Link.tries
  Guard.later("retry", seconds, function()
    if Link.tries == mine and Link.flight == nil then
      if State.data.session == "" then
        Link.connect(Link.old ~= nil)
      elseif Link.failures >= search_after then
        -- It may have been started again on another port.
        Link.connect(true)
      else
        Link.state = "up"
        Link.poll()
      end
    end
  end)
end

-- A try failed: wait longer each time, tell the players once.
function Link.failed(text)
  Link.failures = Link.failures + 1
  Link.state = "waiting"
  local wait = waits[Link.failures] or waits[4]
  if Link.failures == 2 and not Link.told_down then
    Link.told_down = true
    Guard.tell("no answer on port " .. State.port() .. " (" .. Guard.plain(text, 80)
      .. "). Start it with `tallyho serve`; the table stays playable.", { 1, 0.7, 0.3 })
  end
  Panel.status("No answer on port " .. State.port() .. ". Is `tallyho serve` running?")
  Link.again(wait)
end

-- Something else than the program answered.
local function wrong_server(text)
  Link.strange = Link.strange + 1
  if Link.strange >= 3 then
    Link.stop("Something else answers on port " .. State.port() .. " (" .. Guard.plain(text, 100)
      .. "). See the port that `tallyho serve` prints and type it in here.")
  else
    Link.failed(text)
  end
end

-- The ports to look on: the known one; after a try in vain also those that the program takes by itself when that one is
-- taken. A port outside of these was chosen by the player, and then the program takes no other.
local function ports()
  local known = State.port()
  local list, n = { known }, 1
  local number, first = tonumber(known) or 0, Install.first_port
  local tried = Link.failures > 0 or Link.strange > 0
  if tried and number >= first and number < first + Install.ports_tried then
    for port = first, first + Install.ports_tried - 1 do
      if port ~= number then
        n = n + 1
        list[n] = string.format("%d", port)
      end
    end
  end
  return list
end

-- What a request brought. It is thrown away after its callback: all of it is read at once.
local function reading(request)
  local seen = { code = 0, text = "", failed = true, error = "unreadable reply" }
  Guard.try(function()
    seen.error = tostring(request.error)
    seen.code = tonumber(request.response_code) or 0
    seen.text = request.text or ""
    seen.failed = request.is_error == true or seen.code == 0
  end)
  return seen
end

-- Asks who listens on a port, and goes on to the next one until it is the program. Only then the token is sent.
local function look_at(list, i, first_error)
  local port = list[i]
  if port == nil then
    Link.port = nil
    if first_error.strange then
      wrong_server(first_error.text)
    else
      Link.failed(first_error.text)
    end
    return
  end
  Link.port = port
  Link.generation = Link.generation + 1
  local flight = { carried = 0, over = false }
  Link.flight = flight
  local function vain(text, strange)
    look_at(list, i + 1, first_error or { text = text, strange = strange })
  end
  flight.watch = Guard.later("watchdog", look_seconds, function()
    if not flight.over then
      Link.drop(flight)
      vain("no reply in time", false)
    end
  end)
  local ok, handle = Guard.try(WebRequest.get, url("/health"), function(request)
    local seen = reading(request)
    Guard.run("reply", function()
      if flight.over then
        return
      end
      flight.over = true
      if Link.flight == flight then
        Link.flight = nil
      end
      Guard.try(function() Wait.stop(flight.watch) end)
      local read, health = Json.read(seen.text)
      if seen.code == 0 then
        vain(seen.error, false)
      elseif seen.code >= 500 or seen.code == 429 then
        vain("code " .. string.format("%d", seen.code), false)
      elseif not read or health.name ~= "tallyho" or type(health.protocol) ~= "table" then
        vain("code " .. string.format("%d", seen.code), true)
      else
        Link.poll()
      end
    end)
  end)
  if ok then
    flight.handle = handle
  elseif not flight.over then
    Link.drop(flight)
    vain(handle, false)
  end
end

-- Looks for the program, and sends what is queued once it is found.
function Link.look()
  Link.port = nil
  look_at(ports(), 1, nil)
end

local handlers = {}

handlers["table/apply"] = function(id, params)
  Steps.apply(tostring(params.actionId), params.step, function(answer)
    Link.reply(id, answer)
  end)
end

handlers["table/prompt"] = function(id, params)
  Panel.ask(id, params, function(choice)
    Link.reply(id, { choice = choice })
  end)
end

handlers["table/requestSync"] = function(id)
  if id ~= nil then
    Link.reply(id, { accepted = true })
  end
  Link.sync()
end

handlers["dice/roll"] = function(id, params)
  Dice.roll(id, params, function(faces)
    Link.reply(id, faces)
  end, function(why)
    Link.refuse(id, 3003, why .. " This table cannot roll dice for the program; it rolls its own.")
  end)
end

handlers["$/cancelRequest"] = function(_, params)
  if params.id ~= nil then
    Panel.cancel(params.id)
    Dice.cancel(params.id)
  end
end

handlers["$/ping"] = function(id)
  if id ~= nil then
    Link.reply(id, { pong = true })
  end
end

handlers["game/event"] = function(_, params)
  Link.seq = tonumber(params.seq) or Link.seq
  Panel.event(params.event or {})
end

-- Whether an error says that the session is over.
local function session_lost(fault)
  local kind = type(fault.data) == "table" and fault.data.kind or ""
  return kind == "sessionLost" or kind == "notInitialized" or fault.code == 2003 or fault.code == -32002
end

local function dispatch(message)
  if type(message) ~= "table" then
    return
  end
  local method = message.method
  if type(method) == "string" then
    local handler = handlers[method]
    if handler ~= nil then
      handler(message.id, type(message.params) == "table" and message.params or {})
    elseif message.id ~= nil then
      Link.refuse(message.id, -32601, "This controller has no " .. method .. ".")
    end
    return
  end
  local answered = message.id ~= nil and Link.pending[message.id] or nil
  if answered ~= nil then
    Link.pending[message.id] = nil
    if type(message.error) == "table" then
      answered(nil, message.error)
    else
      answered(type(message.result) == "table" and message.result or {}, nil)
    end
  end
end

local function lost(messages)
  for _, message in ipairs(messages) do
    if type(message) == "table" and type(message.error) == "table" and session_lost(message.error) then
      return message.error
    end
  end
  return nil
end

-- Handles a reply in our form.
local function take(reply)
  local session = type(reply.session) == "string" and reply.session or ""
  local messages = type(reply.messages) == "table" and reply.messages or {}
  local initializing = State.data.session == ""
  local fault = not initializing and lost(messages) or nil
  if fault ~= nil and type(fault.data) == "table" and fault.data.retry == "never" then
    -- Two tables that took the game from each other again and again would play no game.
    State.data.session = ""
    State.touch()
    Link.stop("Another table plays this game now. Press Connect to take it back.", true)
    return
  end
  if fault ~= nil then
    Link.connect(true)
    return
  end
  if session ~= "" and not initializing and session ~= State.data.session then
    Link.connect(false)
    return
  end
  local first = tonumber(reply.first) or 0
  for i, message in ipairs(messages) do
    local number = first > 0 and first + i - 1 or 0
    if number == 0 or number > State.data.ack then
      if number > 0 then
        State.data.ack = number
        State.touch()
      end
      Guard.run("message", dispatch, message)
      -- A message may have begun another session or stopped everything: the rest belongs to the old one.
      if not initializing and State.data.session ~= session and session ~= "" then
        return
      end
    end
  end
end

-- A request ended. It may report twice, or after it was given up.
local function finished(flight, seen)
  if flight.over then
    return
  end
  flight.over = true
  if Link.flight == flight then
    Link.flight = nil
  end
  if flight.watch ~= nil then
    Guard.try(function() Wait.stop(flight.watch) end)
  end
  if seen.failed then
    Link.failed(seen.error)
    return
  end
  local ok, reply = Json.read(seen.text)
  if not ok or reply.messages == nil and reply.session == nil then
    if seen.code >= 500 or seen.code == 429 or seen.code == 408 then
      Link.failed("code " .. string.format("%d", seen.code))
    elseif seen.code == 401 or seen.code == 403 then
      Link.stop("The program refused this table (code " .. string.format("%d", seen.code)
        .. "). Run `tallyho install tts` again and put the new controller on the table.")
    else
      pcall(print, "Tallyho: not understood, code " .. string.format("%d", seen.code) .. ": "
        .. Guard.plain(seen.text, 200))
      wrong_server("code " .. string.format("%d", seen.code))
    end
    return
  end
  Link.strange = 0
  -- What this request carried is known to the program now. Nothing was taken out while it was under way.
  local rest = { n = 0 }
  for i = flight.carried + 1, Link.outbox.n do
    Guard.push(rest, Link.outbox[i])
  end
  Link.outbox = rest
  local generation = Link.generation
  Link.handling = true
  Guard.run("reply", take, reply)
  Link.handling = false
  if Link.generation ~= generation then
    return
  end
  if seen.code >= 400 and Link.state == "up" then
    Link.failed("code " .. string.format("%d", seen.code))
    return
  end
  if Link.state == "up" then
    Link.failures = 0
    if Link.outbox.n > 0 then
      Link.poll()
    else
      -- A server that does not hold the poll must not keep the game busy.
      Guard.later("poll", 0.05, Link.poll)
    end
  elseif Link.state == "connecting" then
    Link.failed("no answer to initialize")
  end
end

-- Sends what is queued and waits for news.
function Link.poll()
  if Link.flight ~= nil or Link.state == "off" then
    return
  end
  local texts, size = {}, 0
  for i = 1, Link.outbox.n do
    size = size + #Link.outbox[i]
    if i > 1 and size > body_most then
      break
    end
    texts[i] = Link.outbox[i]
  end
  local carried = #texts
  local body = '{"ack":' .. string.format("%d", State.data.ack)
  if State.data.session ~= "" then
    body = body .. ',"session":"' .. State.data.session .. '"'
  end
  body = body .. ',"messages":[' .. table.concat(texts, ",") .. "]}"
  Link.generation = Link.generation + 1
  local flight = { carried = carried, over = false }
  Link.flight = flight
  local headers = { ["Content-Type"] = "application/json", Accept = "application/json" }
  flight.watch = Guard.later("watchdog", Link.patience, function()
    if not flight.over then
      Link.drop(flight)
      Link.failed("no reply in time")
    end
  end)
  Guard.later("poll", aged_seconds, function()
    flight.aged = true
    if flight.urgent and not flight.over then
      Link.drop(flight)
      Link.poll()
    end
  end)
  local ok, handle = Guard.try(WebRequest.custom, url("/v1/rpc"), "POST", true, body, headers, function(request)
    Guard.run("reply", finished, flight, reading(request))
  end)
  if ok then
    flight.handle = handle
  elseif not flight.over then
    Link.drop(flight)
    Link.failed(handle)
  end
end
