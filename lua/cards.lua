-- What lies beside the mat: the pilot cards, which know their ships, and with them shield and Force tokens, upgrade cards and
-- damage cards. The mod ties none of these to a ship but the pilot card; the rest is told by name and place.
Cards = {
  list = { n = 0 },   -- cards of the table, looked for now and then only
  looked = nil,       -- when
  stale_seconds = 3,
  shown = {},         -- ship GUID -> shields that we are turning tokens to
  near = 3,           -- damage cards lie this close to the middle of the pilot card
  row = 14,           -- upgrade cards lie this far to its left at most
  tokens_near = 5,
}

local function flat(object)
  return Guard.value(nil, function()
    local position, rotation = object.getPosition(), object.getRotation()
    return { x = position.x, z = position.z, turn = math.rad(rotation.y) }
  end)
end

-- A place in the frame of a card: to its right and to its top.
local function within(card, place)
  local dx, dz = place.x - card.x, place.z - card.z
  local sin, cos = math.sin(card.turn), math.cos(card.turn)
  return dx * cos - dz * sin, dx * sin + dz * cos
end

local function distance(a, b)
  local dx, dz = a.x - b.x, a.z - b.z
  return math.sqrt(dx * dx + dz * dz)
end

-- Going through all objects of the table takes a while, so it is not done at every look.
local function look_for_cards()
  local now = Guard.value(0, os.clock)
  if Cards.looked ~= nil and now - Cards.looked < Cards.stale_seconds and now >= Cards.looked then
    return
  end
  Cards.looked = now
  local list = { n = 0 }
  for _, object in ipairs(Guard.value({}, getObjects)) do
    if Guard.value("", function() return object.type end) == "Card" then
      Guard.push(list, Guard.value("", function() return object.getGUID() end))
    end
  end
  Cards.list = list
end

-- The nearest of some places, by a measure that gives nil for those that do not come into question.
local function nearest(pilots, measure)
  local best, least = nil, nil
  for i = 1, pilots.n do
    local far = measure(pilots[i])
    if far ~= nil and (least == nil or far < least) then
      best, least = pilots[i], far
    end
  end
  return best
end

-- Pilot cards first, for the others are told by them.
local function sorted_out()
  look_for_cards()
  local pilots, others = { n = 0 }, { n = 0 }
  for i = 1, Cards.list.n do
    local object = Guard.object(Cards.list[i])
    local place = object ~= nil and flat(object) or nil
    if place ~= nil then
      place.object, place.name = object, Mod.name(object)
      local ship = Guard.value("", function() return object.getVar("ship_guid") end)
      if type(ship) == "string" and ship ~= "" then
        place.ship = ship
        place.upgrades, place.damage = { n = 0 }, 0
        place.tokens = { Shield = { n = 0 }, Force = { n = 0 } }
        Guard.push(pilots, place)
      else
        Guard.push(others, place)
      end
    end
  end
  return pilots, others
end

-- Upgrade cards lie in a row to the left of their pilot, configurations are tucked under its right side; damage cards bear
-- no name.
local function deal_out(pilots, others)
  for i = 1, others.n do
    local card = others[i]
    if card.name == "" or card.name == "?" then
      local owner = nearest(pilots, function(pilot)
        local far = distance(pilot, card)
        return far <= Cards.near and far or nil
      end)
      if owner ~= nil then
        owner.damage = owner.damage + 1
      end
    elseif Guard.value(false, function() return card.object.is_face_down end) ~= true then
      local configuration = Guard.value(false, function() return card.object.hasTag("ConfigCard") end) == true
      local owner = nearest(pilots, function(pilot)
        local right, up = within(pilot, card)
        if up > 1.6 or up < -1.6 then
          return nil
        end
        if configuration then
          return right > 0 and right <= Cards.near and right or nil
        end
        return right < 0 and -right <= Cards.row and -right or nil
      end)
      if owner ~= nil then
        Guard.push(owner.upgrades, card.name)
      end
    end
  end
end

-- Shield and Force tokens know the name of their pilot until the table is loaded again; after that the place tells.
local function token_owner(pilots, token, place, kind)
  local name = Guard.value("", function() return token.getVar(string.lower(kind) .. "_owner") end)
  local named = name ~= "" and nearest(pilots, function(pilot)
    return pilot.name == name and distance(pilot, place) or nil
  end) or nil
  return named or nearest(pilots, function(pilot)
    local far = distance(pilot, place)
    return far <= Cards.tokens_near and far or nil
  end)
end

local function hand_out_tokens(pilots)
  for _, token in ipairs(Guard.value({}, getObjectsWithTag, "Flippable")) do
    local kind = Guard.value("", function() return token.getVar("__XW_TokenType") end)
    if kind == "Shield" or kind == "Force" then
      local place = flat(token)
      local owner = place ~= nil and token_owner(pilots, token, place, kind) or nil
      if owner ~= nil then
        Guard.push(owner.tokens[kind], token)
      end
    end
  end
end

local function face_up(tokens)
  local count = 0
  for i = 1, tokens.n do
    if Guard.value(false, function() return tokens[i].is_face_down end) ~= true then
      count = count + 1
    end
  end
  return count
end

local function read()
  local pilots, others = sorted_out()
  if pilots.n == 0 then
    return pilots
  end
  deal_out(pilots, others)
  hand_out_tokens(pilots)
  return pilots
end

-- Ship GUID -> what lies with its pilot card: `upgrades` (names), `damage` (a count), `shields` and `force` (counts of active
-- tokens, nil where there are none at all).
function Cards.by_ship()
  local found = {}
  local pilots = read()
  for i = 1, pilots.n do
    local pilot = pilots[i]
    local upgrades = {}
    for k = 1, pilot.upgrades.n do
      upgrades[k] = pilot.upgrades[k]
    end
    found[pilot.ship] = {
      upgrades = upgrades, damage = pilot.damage,
      shields = pilot.tokens.Shield.n > 0 and (Cards.shown[pilot.ship] or face_up(pilot.tokens.Shield)) or nil,
      force = pilot.tokens.Force.n > 0 and face_up(pilot.tokens.Force) or nil,
    }
  end
  return found
end

-- Turns so many of a pilot's tokens face up, as its player would.
local function turn_to(tokens, count)
  local up = face_up(tokens)
  for i = 1, tokens.n do
    local down = Guard.value(false, function() return tokens[i].is_face_down end) == true
    if up > count and not down then
      Guard.try(function() tokens[i].flip() end)
      up = up - 1
    elseif up < count and down then
      Guard.try(function() tokens[i].flip() end)
      up = up + 1
    end
  end
end

-- Shows shields and Force as the program keeps them, where the table has tokens for it. A token takes a moment to turn.
function Cards.show(ship, shields, force)
  local pilots = read()
  for i = 1, pilots.n do
    local pilot = pilots[i]
    if pilot.ship == ship then
      turn_to(pilot.tokens.Shield, shields)
      turn_to(pilot.tokens.Force, force)
      Cards.shown[ship] = shields
      Guard.later("cards", 1.5, function() Cards.shown[ship] = nil end)
    end
  end
end
