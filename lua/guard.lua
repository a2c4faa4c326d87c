-- Calls that must never end the script. Everything that touches the game, the mod or the network goes through here.
Guard = {}

-- Error values are always text here, with the position in front: `chunk_3:(12,4-20): message`.
function Guard.text(value)
  local text = tostring(value)
  local _, stop = string.find(text, "): ", 1, true)
  if stop ~= nil then
    return string.sub(text, stop + 1)
  end
  return text
end

-- Runs a function: true and its first value, or false and the error's text.
function Guard.try(action, ...)
  local ok, value = pcall(action, ...)
  if ok then
    return true, value
  end
  return false, Guard.text(value)
end

-- The first value of a function, or a default where it fails or gives nothing.
function Guard.value(default, action, ...)
  local ok, value = pcall(action, ...)
  if ok and value ~= nil then
    return value
  end
  return default
end

-- Runs a callback; an error in it is shown to the host and goes no further.
function Guard.run(what, action, ...)
  local ok, value = pcall(action, ...)
  if not ok then
    pcall(print, "Tallyho: " .. what .. " failed: " .. Guard.text(value))
  end
  return ok
end

-- A function that can be handed to the game as a callback.
function Guard.callback(what, action)
  return function(...)
    Guard.run(what, action, ...)
  end
end

-- Calls `done(true)` once `condition` holds, or `done(false)` after so many seconds. A condition that fails counts as
-- one that does not hold yet.
function Guard.await(what, condition, seconds, done)
  local over = false
  local function finish(held)
    if not over then
      over = true
      Guard.run(what, done, held)
    end
  end
  local function holds()
    local ok, value = pcall(condition)
    return ok and value == true
  end
  Wait.condition(function() finish(true) end, holds, seconds, function() finish(false) end)
end

-- Runs something after so many seconds.
function Guard.later(what, seconds, action)
  return Wait.time(Guard.callback(what, action), seconds)
end

-- A live object of that GUID, or nil. References are never kept: one of a removed object is neither nil nor usable.
function Guard.object(guid)
  if type(guid) ~= "string" or guid == "" then
    return nil
  end
  local ok, object = pcall(getObjectFromGUID, guid)
  if ok then
    return object
  end
  return nil
end

-- Removes a value from the start of a list; lists here are short.
function Guard.shift(list)
  if list[1] == nil then
    return nil
  end
  return table.remove(list, 1)
end

-- Appends to a list that carries its own length in `n`: counting a list costs its length in this interpreter.
function Guard.push(list, value)
  list.n = (list.n or 0) + 1
  list[list.n] = value
end

-- A name without the markup that players put in, on one line, shortened.
function Guard.plain(text, most)
  local line = string.gsub(tostring(text), "[%c%[%]]", " ")
  if most ~= nil and #line > most then
    return string.sub(line, 1, most - 1) .. "~"
  end
  return line
end

-- A text in lines of about so many letters, broken between words; too many lines are cut off.
function Guard.wrap(text, width, most)
  local lines = { n = 0 }
  local line = ""
  local function close()
    Guard.push(lines, line)
    line = ""
  end
  -- Found plainly: a pattern over a long line is too complex for this interpreter.
  local rest, from = tostring(text) .. "\n", 1
  local stop = string.find(rest, "\n", from, true)
  while stop ~= nil do
    local part = string.sub(rest, from, stop - 1)
    from = stop + 1
    stop = string.find(rest, "\n", from, true)
    for word in string.gmatch(Guard.plain(part), "[^ ]+") do
      if line ~= "" and #line + #word >= width then
        close()
      end
      line = line == "" and word or line .. " " .. word
    end
    if line ~= "" then
      close()
    end
  end
  if lines.n > most then
    lines[most] = lines[most] .. " ~"
    lines.n = most
  end
  return table.concat(lines, "\n", 1, lines.n)
end

-- ## Chat

local told = { n = 0 }

-- Tells all players. The program says some things twice, as a step and as an event: the same line is not shown again
-- within a few seconds.
function Guard.tell(text, colour)
  local line = "Tallyho: " .. Guard.plain(text, 600)
  for i = 1, told.n do
    if told[i] == line then
      return
    end
  end
  Guard.push(told, line)
  Guard.later("chat", 5, function()
    table.remove(told, 1)
    told.n = told.n - 1
  end)
  Guard.try(printToAll, line, colour or { 0.65, 0.85, 1 })
end
