-- Makes stock Lua 5.2 behave like the game's interpreter (MoonSharp 2.0), or fail loudly where it cannot. Runs first.
-- Returns the table of names that a script of the game may use.
local host = ...
local type, select, rawget, ipairs = type, select, rawget, ipairs
local raw_tostring, raw_tonumber, raw_error = tostring, tonumber, error
local raw_pcall, raw_xpcall, raw_setmetatable = pcall, xpcall, setmetatable
local format, find, gsub, match, gmatch, byte = string.format, string.find, string.gsub, string.match, string.gmatch, string.byte
local floor, modf, random = math.floor, math.modf, math.random
local insert, remove, unpack = table.insert, table.remove, table.unpack

-- A difference that stock Lua would hide.
local function differs(text)
  raw_error("strict: " .. text, 3)
end

-- Error texts carry `chunk:(line,columns): ` in front.
local function positioned(value)
  if type(value) == "string" then
    return (gsub(value, "^([^\n:]+):(%d+): ", "%1:(%2,0-0): ", 1))
  end
  return value
end

local wrapped = raw_setmetatable({}, { __mode = "k" })

local function after_pcall(ok, ...)
  if ok then
    return true, ...
  end
  return false, positioned((...))
end

local function strict_tostring(...)
  local value = ...
  if type(value) ~= "number" then
    return raw_tostring(...)
  end
  if value ~= value then
    return "NaN"
  elseif value == 1 / 0 then
    return "Infinity"
  elseif value == -1 / 0 then
    return "-Infinity"
  elseif value == 0 then
    return "0"
  end
  return (gsub(format("%.15g", value), "e", "E"))
end

local function strict_tonumber(value, base)
  if base ~= nil then
    local number = raw_tonumber(value, base)
    if base ~= 2 and base ~= 8 and base ~= 10 and base ~= 16 or number == nil or number < 0 then
      differs("tonumber with this base or these digits ends the call there, and no pcall helps")
    end
    return number
  end
  if type(value) == "string" then
    if find(value, ",", 1, true) then
      differs("tonumber takes thousands separators there")
    elseif find(value, "[xX]") then
      return nil
    end
  end
  return raw_tonumber(value)
end

-- How long a subject a pattern may meet: the matcher there has about 200 steps and never gives them back.
local limits = {}
local function limit_of(pattern)
  local limit = limits[pattern]
  if limit == nil then
    local items = gsub(gsub(pattern, "%%.", "x"), "%[%^?%]?[^%]]*%]", "x")
    if find(items, "[^(^]%-") then
      limit = 60
    elseif find(items, "[%w%.][*+][()]*[^()$]") then
      limit = 190
    else
      limit = false
    end
    limits[pattern] = limit
  end
  return limit
end

local function guard(subject, pattern)
  local limit = type(pattern) == "string" and limit_of(pattern)
  if limit and #raw_tostring(subject) >= limit then
    differs("pattern " .. pattern .. " on " .. #raw_tostring(subject) .. " characters may be `pattern too complex`")
  end
end

function string.match(subject, pattern, start)
  guard(subject, pattern)
  return match(subject, pattern, start)
end
function string.gmatch(subject, pattern)
  guard(subject, pattern)
  return gmatch(subject, pattern)
end
function string.gsub(subject, pattern, with, most)
  guard(subject, pattern)
  if most == nil then
    return gsub(subject, pattern, with)
  end
  return gsub(subject, pattern, with, most)
end
function string.find(subject, pattern, start, plain)
  if not plain then
    guard(subject, pattern)
  end
  return find(subject, pattern, start, plain)
end
function string.format(text, ...)
  local n, i = select("#", ...), 0
  for spec in gmatch(text, "%%[%-%+ #0]*%d*%.?%d*([%a%%])") do
    if spec ~= "%" then
      i = i + 1
      local kind = i <= n and type((select(i, ...))) or "nothing"
      if spec == "s" and kind ~= "string" and kind ~= "number" then
        differs("%s takes only strings and numbers there, not " .. kind)
      elseif spec == "a" or spec == "A" or spec == "e" or spec == "E" then
        differs("%" .. spec .. " prints otherwise there")
      end
    end
  end
  return format(text, ...)
end
function string.byte(text, i, j)
  local bytes = { byte(text, i, j) }
  for k = 1, #bytes do
    if bytes[k] > 127 then
      differs("string.byte on other than ASCII differs there")
    end
  end
  return unpack(bytes)
end
string.dump = nil

function table.remove(list, at)
  if at ~= nil and (at < 1 or at > #list) then
    raw_error("bad argument #1 to 'remove' (position out of bounds)", 2)
  end
  return remove(list, at)
end
function table.insert(list, ...)
  if select("#", ...) == 0 then
    differs("table.insert without a value does nothing there")
  end
  return insert(list, ...)
end
local sort = table.sort
function table.sort(list, before)
  if before == nil then
    for i = 1, #list do
      if type(list[i]) == "string" then
        differs("table.sort of texts goes by the host's language there: give it a comparison")
      end
    end
  end
  return sort(list, before)
end

math.huge = 1.7976931348623157e308
function math.modf(x)
  if raw_tonumber(x) < 0 then
    differs("math.modf rounds negative numbers down there")
  end
  return modf(x)
end
function math.random(a, b)
  if a ~= nil and b == nil and a < 1 or b ~= nil and b < a or (b or a or 0) > 2147483646 then
    differs("math.random on this range gives nonsense there")
  end
  if a == nil then
    return random()
  elseif b == nil then
    return random(floor(a))
  end
  return random(floor(a), floor(b))
end
for _, name in ipairs({ "lshift", "rshift", "arshift", "replace" }) do
  bit32[name] = function()
    differs("bit32." .. name .. " is not to be trusted there")
  end
end

local wrap = coroutine.wrap
local strict = {
  assert = function(value, text, ...)
    if value then
      return value, text, ...
    end
    raw_error(text == nil and "assertion failed!" or raw_tostring(text), 0)
  end,
  bit32 = bit32, ipairs = ipairs, math = math, next = next, pairs = pairs, rawequal = rawequal, rawget = rawget,
  rawlen = rawlen, rawset = rawset, select = select, string = string, table = table, type = type,
  getmetatable = getmetatable, unpack = unpack, pack = table.pack,
  coroutine = {
    create = coroutine.create, resume = coroutine.resume, running = coroutine.running, status = coroutine.status,
    yield = coroutine.yield,
    wrap = function(body)
      local w = wrap(body)
      wrapped[w] = true
      return w
    end,
  },
  error = function(text, level)
    local kind = type(text)
    if kind ~= "string" and kind ~= "number" then
      raw_error("bad argument #1 to 'error' (string expected, got " .. kind .. ")", 2)
    end
    raw_error(text, level == 2 and 3 or 2)
  end,
  pcall = function(body, ...)
    if wrapped[body] then
      differs("pcall of a coroutine.wrap function ends the call there")
    end
    return after_pcall(raw_pcall(body, ...))
  end,
  xpcall = function(body, handler, ...)
    return after_pcall(raw_xpcall(body, function(value)
      local ok, text = raw_pcall(handler, positioned(value))
      if not ok then
        return "strict: an error inside an xpcall handler ends the game there"
      end
      return text
    end, ...))
  end,
  setmetatable = function(t, meta)
    if type(meta) == "table" and (rawget(meta, "__gc") ~= nil or rawget(meta, "__mode") ~= nil) then
      differs("__gc and __mode do nothing there")
    end
    return raw_setmetatable(t, meta)
  end,
  tonumber = strict_tonumber,
  tostring = strict_tostring,
  os = {
    clock = function() return host.now() end,
    -- Fractional there.
    time = function() return 1700000000.25 + host.now() end,
    date = os.date,
    difftime = os.difftime,
  },
}

-- Names that a script may ask for although they need not be there.
local optional = { JSON = true, json = true, onSave = true, onLoad = true, onObjectDrop = true, onDestroy = true }

-- A fresh set of globals for one script. Reading a name that is not there is nil in the game; here it is told, because it
-- is nearly always a slip of the pen.
return function(extra, lenient)
  local names = {}
  for name, value in pairs(strict) do
    names[name] = value
  end
  for name, value in pairs(extra) do
    names[name] = value
  end
  local env = raw_setmetatable({}, {
    __index = function(_, name)
      local value = names[name]
      if value == nil and not lenient and not optional[name] then
        raw_error("strict: the name `" .. raw_tostring(name) .. "` is not there", 2)
      end
      return value
    end,
  })
  names._G = env
  return env
end, positioned
