-- What outlives a reload: the game hands it back to onLoad as text. It is asked for every ten seconds, so the text is
-- kept until something changes.
State = {
  text = nil,
  loaded = false,       -- restored from a save, and the program not told yet
  executed_most = 32,
}

function State.fresh()
  return {
    version = 1,
    session = "",
    ack = 0,
    rev = 0,
    round = 0,
    confirm = false,
    probe = false,      -- feel the shapes of obstacles
    solo = {},
    locks = {},
    executed = {},
    begun = nil,
    rolls = {},         -- the last rolls of dice and their faces
    removed = {},       -- ships that we took off the mat
    marks = {},         -- lines that stay, as world x1, z1, x2, z2
    dice = { n = 0 },   -- GUIDs of dice that we put on the table
    link = nil,
    ops = 0,
  }
end

State.data = State.fresh()

function State.touch()
  State.text = nil
end

-- Reads what onLoad was given. Anything unreadable starts afresh: the table is read anew anyway.
function State.restore(text)
  State.data = State.fresh()
  State.text = nil
  if type(text) ~= "string" or text == "" then
    return false
  end
  local ok, saved = Json.read(text)
  if not ok or type(saved) ~= "table" or saved.version ~= 1 then
    return false
  end
  local data = State.data
  data.session = type(saved.session) == "string" and saved.session or ""
  data.ack = tonumber(saved.ack) or 0
  data.rev = tonumber(saved.rev) or 0
  data.round = tonumber(saved.round) or 0
  data.confirm = saved.confirm == true
  data.probe = saved.probe == true
  data.ops = tonumber(saved.ops) or 0
  for _, guid in ipairs(type(saved.solo) == "table" and saved.solo or {}) do
    if type(guid) == "string" then
      data.solo[guid] = true
    end
  end
  for _, guid in ipairs(type(saved.removed) == "table" and saved.removed or {}) do
    if type(guid) == "string" then
      data.removed[guid] = true
    end
  end
  for token, locker in pairs(type(saved.locks) == "table" and saved.locks or {}) do
    if type(token) == "string" and type(locker) == "string" then
      data.locks[token] = locker
    end
  end
  for _, entry in ipairs(type(saved.executed) == "table" and saved.executed or {}) do
    if type(entry) == "table" and type(entry.id) == "string" then
      Guard.push(data.executed, entry)
    end
  end
  for _, roll in ipairs(type(saved.rolls) == "table" and saved.rolls or {}) do
    if type(roll) == "table" and type(roll.id) == "string" and type(roll.attack) == "table" and type(roll.defence) == "table" then
      Guard.push(data.rolls, roll)
    end
  end
  local kept = 0
  for _, line in ipairs(type(saved.marks) == "table" and saved.marks or {}) do
    if type(line) == "table" and tonumber(line[1]) and tonumber(line[2]) and tonumber(line[3]) and tonumber(line[4]) then
      kept = kept + 1
      data.marks[kept] = line
    end
  end
  for _, guid in ipairs(type(saved.dice) == "table" and saved.dice or {}) do
    if type(guid) == "string" then
      Guard.push(data.dice, guid)
    end
  end
  if type(saved.begun) == "table" and type(saved.begun.id) == "string" then
    data.begun = saved.begun
  end
  -- A port or token typed in by the player holds until another controller is installed.
  if type(saved.link) == "table" and saved.link.installed_port == Install.port
    and saved.link.installed_token == Install.token then
    data.link = saved.link
  end
  return true
end

function State.save()
  if State.text ~= nil then
    return State.text
  end
  local data = State.data
  local function keys(set)
    local list, count = {}, 0
    for guid in pairs(set) do
      count = count + 1
      list[count] = guid
    end
    return list
  end
  -- Without the counts: a table of both kinds of keys cannot be written.
  local function plain(list)
    local copy = {}
    for i = 1, list.n or 0 do
      copy[i] = list[i]
    end
    return copy
  end
  local saved = {
    version = 1, session = data.session, ack = data.ack, rev = data.rev, round = data.round, confirm = data.confirm, probe = data.probe,
    ops = data.ops, solo = keys(data.solo), removed = keys(data.removed), locks = data.locks, executed = plain(data.executed), begun = data.begun,
    rolls = plain(data.rolls), marks = data.marks, dice = plain(data.dice), link = data.link,
  }
  local ok, text = Json.write(saved)
  if ok then
    State.text = text
    return text
  end
  return ""
end

-- Keeps the outcome of a step, so that a repeated one is answered and not carried out again.
function State.remember(id, result)
  local executed = State.data.executed
  local entry = { id = id, outcome = result.outcome, bumped = result.bumped }
  if result.observed ~= nil then
    entry.x, entry.y, entry.facing = result.observed.x, result.observed.y, result.observed.facing
  end
  if result.outcome == "partial" and result.reason ~= nil then
    entry.reason = Guard.plain(result.reason, 60)
  end
  if (executed.n or 0) >= State.executed_most then
    table.remove(executed, 1)
    executed.n = executed.n - 1
  end
  Guard.push(executed, entry)
  State.data.begun = nil
  State.touch()
end

-- The outcome of a step that was carried out before, or nil.
function State.remembered(id)
  local executed = State.data.executed
  for i = 1, executed.n or 0 do
    local entry = executed[i]
    if entry.id == id then
      local result = { outcome = "duplicate", bumped = entry.bumped == true, rev = State.data.rev, reason = entry.reason }
      if entry.x ~= nil then
        result.observed = { x = entry.x, y = entry.y, facing = entry.facing }
      end
      return result
    end
  end
  return nil
end

-- Notes that a step has begun to change the table: a save may fall into the middle of a move.
function State.begin(id, guid)
  State.data.begun = { id = id, object = guid }
  State.touch()
end

-- A name for one press of a button, new for good on this table.
function State.operation()
  local data = State.data
  data.ops = data.ops + 1
  State.touch()
  return State.instance .. "-" .. string.format("%d", data.ops)
end

function State.port()
  return State.data.link ~= nil and State.data.link.port or Install.port
end

function State.token()
  return State.data.link ~= nil and State.data.link.token or Install.token
end

-- The player typed another port or token in.
function State.set_link(port, token)
  State.data.link = {
    port = port, token = token, installed_port = Install.port, installed_token = Install.token,
  }
  State.touch()
end
