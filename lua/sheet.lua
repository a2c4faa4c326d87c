-- The sheet of one ship, to the right of the controller: what the program keeps of it, a button for everything that may be
-- wrong. Nothing is changed here; the program is told and answers with the new entry.
Sheet = {
  ship = nil,         -- its GUID; nil: no sheet is open
  actions = {},       -- what each button corrects
  rows_most = 22,
}

local black, green, red, grey = { 0.05, 0.06, 0.08 }, { 0.1, 0.35, 0.15 }, { 0.45, 0.12, 0.1 }, { 0.25, 0.25, 0.28 }
local left, right, middle, top, step = 5.3, 7.5, 6.4, -2.4, 0.5

-- A card's id in words: `blinded-pilot`, `damage:blindedPilot` and the like.
local function card_name(id)
  local name = tostring(id)
  local _, colon = string.find(name, ":", 1, true)
  if colon ~= nil then
    name = string.sub(name, colon + 1)
  end
  return Guard.plain((string.gsub(name, "[-_]", " ")), 30)
end

local function described(entry)
  local hull = entry.hull ~= nil and string.format("hull %d", entry.hull) or "hull unknown"
  if entry.hullMax ~= nil then
    hull = hull .. string.format(" of %d", entry.hullMax)
  end
  local text = hull .. string.format(", shields %d of %d", tonumber(entry.shields) or 0, tonumber(entry.shieldsMax) or 0)
  if (tonumber(entry.forceMax) or 0) > 0 then
    text = text .. string.format(", Force %d of %d", tonumber(entry.force) or 0, entry.forceMax)
  end
  if (tonumber(entry.faceDown) or 0) > 0 then
    text = text .. string.format(", %d face down", entry.faceDown)
  end
  return text
end

-- Buttons for the ship whose sheet is open.
function Sheet.rows(list, button)
  local guid = Sheet.ship
  if guid == nil then
    return
  end
  local entry = Rounds.ledger[guid]
  button(list, Guard.wrap(Rounds.name(guid) .. "\n"
    .. (entry ~= nil and described(entry) or "The program keeps nothing of this ship yet."), 46, 4), "tallyho_nothing",
    middle, top, 2200, black)
  list[list.n].font_size = 90
  list[list.n].height = 420
  Sheet.actions = {}
  local row, count = 1, 0
  local function add(label, x, width, colour, correction, tooltip)
    count = count + 1
    Sheet.actions[count] = correction
    button(list, label, "tallyho_sheet_" .. count, x, top + 0.2 + step * row, width, colour, tooltip)
  end
  local function pair(first, correction, second, other, colour)
    if count + 2 <= Sheet.rows_most then
      add(first, left, 1050, colour or grey, correction)
      add(second, right, 1050, colour or grey, other)
      row = row + 1
    end
  end
  entry = entry or {}
  local shields, force = tonumber(entry.shields) or 0, tonumber(entry.force) or 0
  pair("Suffers a hit", { hits = 1 }, "Suffers a crit", { crits = 1 }, red)
  pair("Shield lost", { shields = math.max(0, shields - 1) }, "Shield back", { shields = shields + 1 })
  if entry.hull ~= nil then
    pair("Hull -1", { hull = math.max(0, entry.hull - 1) }, "Hull +1", { hull = entry.hull + 1 })
  end
  pair("Hull value -1", { hullMax = math.max(1, (tonumber(entry.hullMax) or 2) - 1) },
    "Hull value +1", { hullMax = (tonumber(entry.hullMax) or 0) + 1 })
  pair("Card face up", { card = { change = "dealFaceUp", name = "" } },
    "Card face down", { card = { change = "dealFaceDown", name = "" } })
  if (tonumber(entry.forceMax) or 0) > 0 then
    pair("Force spent", { force = math.max(0, force - 1) }, "Force back", { force = force + 1 })
  end
  for _, card in ipairs(type(entry.faceUp) == "table" and entry.faceUp or {}) do
    pair("Repair " .. card_name(card), { card = { change = "repair", name = card } },
      "Discard " .. card_name(card), { card = { change = "discard", name = card } })
  end
  local charged = {}
  local n = 0
  for card in pairs(type(entry.charges) == "table" and entry.charges or {}) do
    n = n + 1
    charged[n] = card
  end
  -- Ids of cards are plain lower-case letters, digits and a colon.
  table.sort(charged, function(a, b) return a < b end)
  for _, card in ipairs(charged) do
    local active = tonumber(entry.charges[card]) or 0
    pair(string.format("%s: %d, spend", card_name(card), active), { charges = { [card] = math.max(0, active - 1) } },
      string.format("%s: charge back", card_name(card)), { charges = { [card] = active + 1 } })
  end
  -- Ships that stand against it: whether they touch no table shows for certain.
  local function contacts(list, label, touching)
    for _, other in ipairs(type(list) == "table" and list or {}) do
      if type(other) == "string" and count < Sheet.rows_most then
        add(string.format(label, Guard.plain(Rounds.name(other), 20)), middle, 2150, grey, { touching = { [other] = touching } })
        row = row + 1
      end
    end
  end
  contacts(entry.touching, "Touches %s: no", false)
  contacts(entry.against, "Touches %s: yes", true)
  if Rounds.edition == "first" and entry.solo ~= true and not entry.activated then
    pair("No dial was set", { dial = "missing" }, "Red, and stressed", { dial = "red" })
  end
  pair(entry.activated and "Has moved" or "Has yet to move", { activated = entry.activated and "waiting" or "done" },
    entry.engaged and "Has engaged" or "Has yet to engage", { engaged = entry.engaged and "waiting" or "done" }, green)
  if count < Sheet.rows_most then
    add(entry.destroyed and "Shot down: no, it is in play" or "Shot down, or gone", middle, 2150, red,
      { state = entry.destroyed and "inPlay" or "destroyed" })
  end
end

-- Opens the sheet of the ship that the player has selected, or closes it.
function tallyho_sheet(_, colour)
  Guard.run("press", function()
    if Sheet.ship ~= nil then
      Sheet.ship = nil
      Panel.redraw()
      return
    end
    Panel.selected(colour, function(object)
      Sheet.ship = object.getGUID()
      Panel.ships_open = false
    end)
    Panel.redraw()
  end)
end

for i = 1, Sheet.rows_most + 1 do
  _G["tallyho_sheet_" .. string.format("%d", i)] = function()
    Guard.run("press", function()
      local correction = Sheet.actions[i]
      if correction == nil or Sheet.ship == nil then
        return
      end
      if Link.state ~= "up" then
        Panel.status("Not connected. Start `tallyho serve`, then press Connect.")
        return
      end
      local params = { ship = Sheet.ship }
      for field, value in pairs(correction) do
        params[field] = value
      end
      Panel.order("game/correct", params)
    end)
  end
end
