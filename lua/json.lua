-- Text to tables and back. The game has two readers: `json.parse` is fast but knows no \u, and the old one of its two
-- versions no negative numbers; `JSON.decode` reads all, in time that grows with the square of the length.
Json = { fast = false }

-- Finds out at load which reader this game has.
function Json.probe()
  Json.fast = Guard.value(false, function()
    if json == nil or json.parse == nil then
      return false
    end
    local read = json.parse('{"a":-1,"b":[]}')
    return type(read) == "table" and read.a == -1
  end)
end

-- true and the value, or false and why not.
function Json.read(text)
  if type(text) ~= "string" or string.find(text, "[%[{]") == nil then
    return false, "no JSON"
  end
  if Json.fast then
    local ok, value = pcall(json.parse, text)
    if ok and type(value) == "table" then
      return true, value
    end
  end
  local ok, value = Guard.try(JSON.decode, text)
  if ok and type(value) == "table" then
    return true, value
  end
  return false, ok and "no JSON object" or value
end

-- true and the text, or false and why not.
function Json.write(value)
  return Guard.try(JSON.encode, value)
end

-- A coordinate or an angle with as many digits as matter (six of a world unit: 30 nm).
function Json.number(value)
  if type(value) ~= "number" or value ~= value then
    return 0
  end
  return math.floor(value * 1000000 + 0.5) / 1000000
end
