-- Faces of dice that the players type, a button a face.
Faces = {}

local names = { attack = { "Crit", "Hit", "Focus", "Blank" }, defence = { "Evade", "Focus", "Blank" } }
local back, done_word = "Take the last die back", "Done"

local function dice(count, kind)
  return string.format("%d %s ", count, kind) .. (count == 1 and "die" or "dice")
end

-- `3 attack dice and 1 defence die`.
function Faces.amount(attack, defence)
  if defence == 0 then
    return dice(attack, "attack")
  end
  if attack == 0 then
    return dice(defence, "defence")
  end
  return dice(attack, "attack") .. " and " .. dice(defence, "defence")
end

-- Makes a question ask for the faces of so many dice. Its own answers stay, below the faces; `typed` gets the faces as
-- text (`hit hit focus evade`) and as two lists.
function Faces.turn_into(question, wanted, typed)
  local attack, defence = tonumber(wanted.attack) or 0, tonumber(wanted.defence) or 0
  local others, choose, text = question.options, question.choose, question.text
  local faces = { n = 0 }
  local function kind()
    if faces.n < attack then
      return "attack"
    end
    return faces.n < attack + defence and "defence" or nil
  end
  local function describe()
    local options, n = {}, 0
    local asked = kind()
    if asked == nil then
      options[1] = done_word
      n = 1
    else
      for _, name in ipairs(names[asked]) do
        n = n + 1
        options[n] = name
      end
    end
    if faces.n > 0 then
      n = n + 1
      options[n] = back
    end
    for _, option in ipairs(others) do
      n = n + 1
      options[n] = option
    end
    question.options = options
    local so_far = faces.n > 0 and string.lower(table.concat(faces, ", ", 1, faces.n)) or "none yet"
    local left = asked == "attack" and dice(attack - faces.n, "attack")
      or asked == "defence" and dice(attack + defence - faces.n, "defence")
    question.text = text .. "\nTyped: " .. so_far .. (left and ". Next: " .. left .. "." or ". All typed.")
  end
  question.choose = function(option)
    local asked = kind()
    if option == back and faces.n > 0 then
      faces[faces.n] = nil
      faces.n = faces.n - 1
    elseif option == done_word and asked == nil then
      local lists, all = { attack = {}, defence = {} }, {}
      for i = 1, faces.n do
        local face = string.lower(faces[i])
        all[i] = face
        if i <= attack then
          lists.attack[i] = face
        else
          lists.defence[i - attack] = face
        end
      end
      typed(table.concat(all, " "), lists.attack, lists.defence)
      return
    else
      local of_a_die = false
      for _, name in ipairs(asked ~= nil and names[asked] or {}) do
        of_a_die = of_a_die or name == option
      end
      if not of_a_die then
        choose(option)
        return
      end
      Guard.push(faces, option)
    end
    describe()
  end
  describe()
end

-- Asks the players for faces on our own behalf. `done` gets both lists, or nothing once the time is over.
function Faces.ask(what, done)
  local question = { id = what.id, text = what.text, options = {}, over = false, choose = function() end }
  local over = false
  local function finish(attack, defence)
    if not over then
      over = true
      Panel.withdraw(what.id)
      done(attack, defence)
    end
  end
  Faces.turn_into(question, what, function(_, attack, defence) finish(attack, defence) end)
  Panel.put(question)
  Guard.later("faces", what.seconds, function()
    if not question.over then
      finish(nil, nil)
    end
  end)
end
