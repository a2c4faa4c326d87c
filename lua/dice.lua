-- The mod's dice: taken from its bags, thrown beside the controller, read by the face that lies on top. Players may type the
-- faces instead at any time, and are asked to where the dice do not behave.
Dice = {
  bags = {},            -- kind of dice -> GUID of a bag that gives them
  current = nil,        -- the roll in hand
  waiting = { n = 0 },
  spawn_seconds = 4,
  rest_seconds = 8,     -- for one throw
  throws_most = 3,
  shown_seconds = 10,   -- so long the dice stay, unless others are rolled before
  typing_seconds = 120, -- for players who have to type the faces
  remembered_most = 8,
}

-- What the mod calls the faces. Its older dice know them by number alone, in the order that their own script tells.
local faces = {
  attack = { crit = "crit", hit = "hit", eye = "focus", focus = "focus", blank = "blank" },
  defence = { evade = "evade", eye = "focus", focus = "focus", blank = "blank" },
}
local colours = { attack = "Red", defence = "Green" }

-- Which dice a bag gives, or nil. The game master's notes tell the colours of the mod's bags apart.
local function kind_of(name, notes)
  local start = string.lower(string.sub(notes, 1, 3))
  local plain = string.lower(name)
  if start == "atk" or string.find(plain, "attack di", 1, true) then
    return "attack"
  end
  if start == "def" or string.find(plain, "defense di", 1, true) or string.find(plain, "defence di", 1, true) then
    return "defence"
  end
  return nil
end

-- Notes a bag of the table, if it gives dice. Of several the one with the lowest GUID is used, always.
function Dice.see_bag(object, name)
  local kind = kind_of(name, Guard.value("", function() return object.getGMNotes() end))
  local guid = Guard.value("", function() return object.getGUID() end)
  if kind ~= nil and guid ~= "" and (Dice.bags[kind] == nil or Guard.before(guid, Dice.bags[kind])) then
    Dice.bags[kind] = guid
  end
end

function Dice.here()
  return Dice.bags.attack ~= nil and Dice.bags.defence ~= nil
end

-- The face that a die shows, in the program's words; nil if it cannot be told.
local function face_of(die, kind)
  local value = Guard.value(nil, function() return die.getRotationValue() end)
  local face = value ~= nil and faces[kind][string.lower(tostring(value))] or nil
  if face == nil then
    local number = tonumber(value)
    local word = number ~= nil and Guard.value(nil, function()
      return die.getTable("diceValues")[colours[kind]][number]
    end) or nil
    face = word ~= nil and faces[kind][string.lower(tostring(word))] or nil
  end
  return face
end

-- ## What is remembered

local function remembered(id)
  local rolls = State.data.rolls
  for i = 1, rolls.n or 0 do
    if rolls[i].id == id then
      return rolls[i]
    end
  end
  return nil
end

local function remember(id, attack, defence)
  local rolls = State.data.rolls
  if (rolls.n or 0) >= Dice.remembered_most then
    table.remove(rolls, 1)
    rolls.n = rolls.n - 1
  end
  Guard.push(rolls, { id = id, attack = attack, defence = defence })
  State.touch()
end

-- Takes all dice of earlier rolls off the table, also those of before a load.
function Dice.clear()
  for _, guid in ipairs(State.data.dice) do
    local die = Guard.object(guid)
    if die ~= nil then
      Guard.try(function() die.destruct() end)
    end
  end
  State.data.dice = { n = 0 }
  State.touch()
end

-- ## Rolling

local function finish(roll, attack, defence, how)
  if roll.over then
    return
  end
  roll.over = true
  Panel.withdraw("roll:" .. roll.id)
  remember(roll.id, attack, defence)
  local shown = {}
  local n = 0
  for _, list in ipairs({ attack, defence }) do
    if list[1] ~= nil then
      n = n + 1
      shown[n] = table.concat(list, ", ")
    end
  end
  Panel.status(how .. " " .. (n > 0 and table.concat(shown, "; ") or "no dice")
    .. (roll.reason ~= "" and " (" .. roll.reason .. ")" or ""))
  local thrown = State.data.dice
  Guard.later("dice", Dice.shown_seconds, function()
    if State.data.dice == thrown then
      Dice.clear()
    end
  end)
  for _, reply in ipairs(roll.replies) do
    Guard.run("answer", reply, { attack = attack, defence = defence })
  end
  Dice.current = nil
  Dice.next()
end

local function give_up(roll, why)
  if roll.over then
    return
  end
  roll.over = true
  Panel.withdraw("roll:" .. roll.id)
  for _, refuse in ipairs(roll.refusals) do
    Guard.run("answer", refuse, why)
  end
  Dice.current = nil
  Dice.next()
end

-- The dice cannot be read: the players are asked.
local function ask_instead(roll, why)
  if roll.over or roll.asking then
    return
  end
  roll.asking = true
  Guard.tell(why .. " Please type what the dice show.", { 1, 0.7, 0.3 })
  Faces.ask({
    id = "roll:" .. roll.id, text = roll.reason, attack = roll.attack, defence = roll.defence,
    seconds = Dice.typing_seconds,
  }, function(attack, defence)
    if attack ~= nil then
      finish(roll, attack, defence, "Typed:")
    else
      give_up(roll, why .. " Nobody typed the faces.")
    end
  end)
end

local function throw(die, place)
  die.setPosition(place)
  die.roll()
end

-- Whether a die has come to rest where it can be read.
local function lies(entry)
  local die = Guard.object(entry.guid)
  return die ~= nil and Guard.value(nil, function() return die.held_by_color end) == nil
    and Guard.value(false, function() return die.resting end) == true
end

local read

local function wait_for_rest(roll)
  local calm = 0
  Guard.later("dice", 0.7, function()
    Guard.await("dice", function()
      if roll.over or roll.asking then
        return true
      end
      for i = 1, roll.thrown.n do
        if not lies(roll.thrown[i]) then
          calm = 0
          return false
        end
      end
      calm = calm + 1
      return calm >= 3
    end, Dice.rest_seconds, function()
      if not roll.over and not roll.asking then
        read(roll)
      end
    end)
  end)
end

-- Reads all dice; those that lean, fell off the table or are gone are thrown once more.
read = function(roll)
  local lists = { attack = {}, defence = {} }
  local again = 0
  local low = Guard.value(0, function() return self.getPosition().y end) - 2
  for i = 1, roll.thrown.n do
    local entry = roll.thrown[i]
    local die = Guard.object(entry.guid)
    if die == nil then
      ask_instead(roll, "A die is gone from the table.")
      return
    end
    local face = lies(entry) and face_of(die, entry.kind) or nil
    if face == nil or Guard.value(low, function() return die.getPosition().y end) < low then
      again = again + 1
      Guard.try(throw, die, entry.place)
    else
      Guard.push(lists[entry.kind], face)
    end
  end
  lists.attack.n, lists.defence.n = nil, nil
  if again == 0 then
    finish(roll, lists.attack, lists.defence, "Rolled:")
  elseif roll.throws >= Dice.throws_most then
    ask_instead(roll, "The dice do not come to rest, or show no face.")
  else
    roll.throws = roll.throws + 1
    wait_for_rest(roll)
  end
end

-- Takes the dice from the bags; when all have spawned they are thrown.
local function take(roll)
  Dice.clear()
  local total = roll.attack + roll.defence
  local thrown = State.data.dice
  roll.thrown = { n = 0 }
  local wanted, there = 0, 0
  for _, kind in ipairs({ "attack", "defence" }) do
    local bag = Guard.object(Dice.bags[kind])
    for _ = 1, roll[kind] do
      wanted = wanted + 1
      local place = self.positionToWorld({ (wanted - (total + 1) / 2) * 1.4, 2.5, 7 })
      local entry = { kind = kind, place = { place.x, place.y, place.z } }
      Guard.push(roll.thrown, entry)
      bag.takeObject({
        position = entry.place, rotation = { 0, 0, 0 }, smooth = false,
        callback_function = Guard.callback("dice", function(die)
          entry.guid = die.getGUID()
          there = there + 1
          Guard.push(thrown, entry.guid)
          State.touch()
          if roll.over or roll.asking then
            die.destruct()
          end
        end),
      })
    end
  end
  Guard.await("dice", function() return roll.over or roll.asking or there == total end, Dice.spawn_seconds,
    function(all)
      if roll.over or roll.asking then
        return
      end
      if not all then
        ask_instead(roll, "The bag of dice gave none.")
        return
      end
      for i = 1, roll.thrown.n do
        local entry = roll.thrown[i]
        throw(Guard.object(entry.guid), entry.place)
      end
      wait_for_rest(roll)
    end)
end

local function start(roll)
  Dice.current = roll
  if roll.attack + roll.defence == 0 then
    finish(roll, {}, {}, "Rolled:")
    return
  end
  Panel.status("Rolling " .. Faces.amount(roll.attack, roll.defence)
    .. (roll.reason ~= "" and " (" .. roll.reason .. ")" or "") .. ".")
  Panel.offer("roll:" .. roll.id, "Rolling " .. Faces.amount(roll.attack, roll.defence) .. ". " .. roll.reason,
    { "Type the faces instead" }, function()
      ask_instead(roll, "Rolled by hand.")
    end)
  local ok, why = Guard.try(take, roll)
  if not ok then
    ask_instead(roll, "The dice could not be taken (" .. Guard.plain(why, 80) .. ").")
  end
end

function Dice.next()
  if Dice.current == nil then
    local roll = Guard.shift(Dice.waiting)
    if roll ~= nil then
      Dice.waiting.n = Dice.waiting.n - 1
      start(roll)
    end
  end
end

-- Rolls for the program, on its request of that number; one of the two functions is called once. The same roll asked for
-- again is answered alike.
function Dice.roll(request, params, reply, refuse)
  local id = tostring(params.rollId)
  local before = remembered(id)
  if before ~= nil then
    reply({ attack = before.attack, defence = before.defence })
    return
  end
  local current = Dice.current
  if current ~= nil and current.id == id then
    current.request = request
    current.replies = { reply }
    current.refusals = { refuse }
    return
  end
  for i = 1, Dice.waiting.n do
    if Dice.waiting[i].id == id then
      Dice.waiting[i].request = request
      Dice.waiting[i].replies = { reply }
      Dice.waiting[i].refusals = { refuse }
      return
    end
  end
  local function count(value)
    return math.max(0, math.min(20, math.floor(tonumber(value) or 0)))
  end
  local roll = {
    id = id, request = request, attack = count(params.attack), defence = count(params.defence), over = false, throws = 1, asking = false,
    reason = Guard.plain(params.reason or "", 120), replies = { reply }, refusals = { refuse },
  }
  if roll.attack > 0 and Dice.bags.attack == nil or roll.defence > 0 and Dice.bags.defence == nil then
    refuse("No bag of the mod's dice is on this table.")
    return
  end
  Guard.push(Dice.waiting, roll)
  Dice.next()
end

-- The program no longer waits for the roll of a request: dice in the air are taken away, and nobody is asked to type them.
function Dice.cancel(request)
  local gone = "The program no longer waits for these dice."
  local current = Dice.current
  if current ~= nil and current.request == request then
    Panel.status(gone)
    Dice.clear()
    give_up(current, gone)
    return
  end
  for i = 1, Dice.waiting.n do
    local roll = Dice.waiting[i]
    if roll.request == request then
      table.remove(Dice.waiting, i)
      Dice.waiting.n = Dice.waiting.n - 1
      for _, refuse in ipairs(roll.refusals) do
        Guard.run("answer", refuse, gone)
      end
      return
    end
  end
end

-- Another session: nobody waits for the rolls of the old one.
function Dice.forget()
  Dice.waiting = { n = 0 }
  if Dice.current ~= nil then
    Dice.current.over = true
    Panel.withdraw("roll:" .. Dice.current.id)
    Dice.current = nil
  end
end
