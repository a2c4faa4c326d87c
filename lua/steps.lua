-- Carries out `table/apply`: one step at a time, each checked beforehand and afterwards. What is observed counts; the
-- return values of the mod do not.
Steps = {
  running = nil,
  waiting = { n = 0 },
  rest_seconds = 12,
  stuck_seconds = 15,
  settle_seconds = 0.6,
}

local diag = "If it stays stuck, write `diag` into the ship's description: the mod then unlocks it."

local function result(outcome, object, reason)
  local done = { outcome = outcome, rev = State.data.rev, bumped = false }
  if reason ~= nil then
    done.reason = reason
  end
  if object ~= nil then
    done.observed = Mod.pose(object)
  end
  return done
end

-- The result of a move: the mod took an older mark away before it moved, so a mark that is there now is this move's.
local function flown(outcome, object, reason)
  local done = result(outcome, object, reason)
  done.bumped = Mod.bumped(object)
  return done
end

local function rejected(object, reason)
  return result("rejected", object, reason)
end

-- Waits until a ship rests; a ship that does not is told about, with the remedy.
local function when_at_rest(object, seconds, done)
  local calm = 0
  Guard.await("waiting for rest", function()
    -- Two looks in a row: between the order to move and the motion itself a ship may look at rest.
    if Mod.at_rest(object) then
      calm = calm + 1
    else
      calm = 0
    end
    return calm >= 2
  end, seconds, done)
end

local function why_not_at_rest(object)
  if Mod.pose(object) == nil then
    return "The ship is gone from the table."
  end
  if Mod.held(object) then
    return Mod.name(object) .. " is held by a player. Put it down and press again."
  end
  if Mod.busy(object) then
    return Mod.name(object) .. " is still busy with another command of the mod. " .. diag
  end
  return Mod.name(object) .. " does not come to rest. Free it from what it touches and press again."
end

-- Checks that a ship is free and stands where the plan says, then goes on.
local function checked(object, from, done, go)
  if Mod.held(object) then
    done(rejected(object, why_not_at_rest(object)))
    return
  end
  when_at_rest(object, Steps.stuck_seconds, function(rests)
    if not rests then
      done(rejected(object, why_not_at_rest(object)))
    elseif from ~= nil and not Mod.agree(Mod.pose(object), from) then
      done(rejected(object, Mod.name(object) .. " stands elsewhere than planned; somebody moved it."))
    else
      go()
    end
  end)
end

-- Boosts, rolls, decloaks and adjustments are whole or not at all; a maneuver that finds no free place counts as flown.
local function is_reposition(code)
  local first, last = string.sub(code, 1, 1), string.sub(code, -1)
  return last == "b" or first == "r" or first == "c" or first == "v" or first == "e" or first == "a"
end

local kinds = {}

function kinds.say(step, _, done)
  Guard.tell(step.text or "")
  done(result("applied"))
end

function kinds.show(step, _, done)
  if step.object == nil or step.object == "" then
    Lines.keep(step.lines)
  else
    Lines.show(step.object, step.lines)
  end
  done(result("applied"))
end

function kinds.dial(step, object, done)
  local dial = Mod.dial_of(step.object)
  if dial == nil then
    done(rejected(object, Mod.name(object) .. " has no dial."))
    return
  end
  local ok, reason = Mod.set_dial(dial, step.code)
  if ok then
    done(result("applied", object))
  else
    done(rejected(object, "The dial of " .. Mod.name(object) .. " could not be set: " .. reason .. "."))
  end
end

-- `moved`: the mod said so; `started`: the ship was busy right after the call, so that the mod did something with it.
local function after_move(step, object, before, moved, started)
  local now = Mod.pose(object)
  if Mod.agree(now, step.to) then
    return flown("applied", object)
  end
  if now ~= nil and not Mod.agree(now, before) then
    return flown("partial", object, "It ended elsewhere than expected.")
  end
  if moved and started then
    return flown("partial", object, "It was stopped where it stood.")
  end
  if moved then
    return rejected(object, "The mod accepted the move of " .. Mod.name(object)
      .. " but did not carry it out. Its model or size is not recognised: spawn the ship again.")
  end
  if is_reposition(step.code) then
    return rejected(object, "The mod found no free place for it.")
  end
  local stays = result("partial", object, "The mod found no free place along the whole move.")
  stays.bumped = true
  return stays
end

function kinds.move(step, object, done, id)
  checked(object, step.from, done, function()
    local before = Mod.pose(object)
    State.begin(id, step.object)
    local ok, moved = Guard.try(function()
      return Global.call("API_PerformMove", { ship = object, code = step.code, ignoreCollisions = false })
    end)
    local started = Mod.busy(object)
    when_at_rest(object, Steps.rest_seconds, function(rests)
      if not rests then
        done(flown("partial", object, why_not_at_rest(object)))
        return
      end
      -- A call that failed may have failed half way: look before saying so.
      local answer = after_move(step, object, before, ok and moved == true, started)
      if not ok and answer.outcome ~= "applied" and Mod.agree(Mod.pose(object), before) then
        answer = rejected(object, "The mod failed: " .. Guard.plain(tostring(moved), 80))
      end
      if answer.outcome ~= "rejected" then
        Mod.clear_dial(step.object)
      end
      done(answer)
    end)
  end)
end

-- Puts a ship at an exact place, its tokens with it.
local function put(object, to, done)
  -- A mark of an earlier bump means nothing in another place; only the mod's own moves take it away by themselves.
  Mod.clear_bump(object)
  local position, rotation = { to.x, Mod.level(object), to.y }, { 0, to.facing, 0 }
  local ok, reason = Guard.try(function()
    Global.call("API_QueueShipTokensMove", {
      ship = object, finPos = { pos = position, rot = rotation },
    })
    object.setPositionSmooth(position, false, true)
    object.setRotationSmooth(rotation, false, true)
  end)
  if not ok then
    done(rejected(object, "The mod could not place " .. Mod.name(object) .. ": " .. reason .. "."))
    return
  end
  when_at_rest(object, Steps.rest_seconds, function(rests)
    if rests and Mod.agree(Mod.pose(object), to) then
      Mod.finish_setup(object)
      done(result("applied", object))
    elseif rests then
      done(result("partial", object, "It ended elsewhere than it was put."))
    else
      done(result("partial", object, why_not_at_rest(object)))
    end
  end)
end

function kinds.place(step, object, done, id)
  checked(object, step.from, done, function()
    State.begin(id, step.object)
    State.data.removed[step.object] = nil
    put(object, step.to, done)
  end)
end

-- Lays an obstacle down: no ship of the mod, so it is put there and falls onto the mat.
function kinds.lay(step, object, done, id)
  if Mod.held(object) then
    done(rejected(object, why_not_at_rest(object)))
    return
  end
  State.begin(id, step.object)
  local to = step.to
  local ok, reason = Guard.try(function()
    object.setPosition({ to.x, Mod.lying_height(object), to.y })
    object.setRotation({ 0, to.facing, 0 })
  end)
  if not ok then
    done(rejected(object, "The obstacle could not be laid: " .. reason .. "."))
    return
  end
  when_at_rest(object, Steps.rest_seconds, function(rests)
    if rests and Mod.agree(Mod.pose(object), to) then
      done(result("applied", object))
    elseif rests then
      done(result("partial", object, "It ended elsewhere than it was laid."))
    else
      done(result("partial", object, why_not_at_rest(object)))
    end
  end)
end

-- Brings the count of a token to what it should be, one call at a time, and looks again: shedding from a stack may take
-- the whole stack, and a fresh token is not there for some frames.
local function bring_to(object, name, wanted, side, tries, done)
  local have = Mod.count(object, name)
  if have == wanted then
    done(true, have)
    return
  end
  if tries == 0 then
    done(false, have)
    return
  end
  local steps = math.abs(wanted - have)
  local function one()
    local arguments = { remove = have > wanted }
    if side == "fore" then
      arguments.flip = true
    end
    local ok, reason = Mod.action(object, name, arguments)
    if not ok then
      done(false, Mod.count(object, name), reason)
      return
    end
    steps = steps - 1
    Guard.later("token", Steps.settle_seconds, function()
      -- After a removal look each time; a stack may be gone at once.
      if steps > 0 and have < wanted then
        one()
      else
        bring_to(object, name, wanted, side, tries - 1, done)
      end
    end)
  end
  one()
end

function kinds.token(step, object, done, id)
  local name = Mod.tokens[step.token]
  if name == nil then
    done(rejected(object, "The mod has no " .. tostring(step.token) .. " token; please do it by hand."))
    return
  end
  if not Mod.bags[name] and step.count > 0 then
    done(rejected(object, "No bag of " .. name .. " tokens is on the table; please lay it by hand."))
    return
  end
  checked(object, nil, done, function()
    local before = Mod.count(object, name)
    local wanted = math.max(0, before + step.count)
    State.begin(id, step.object)
    bring_to(object, name, wanted, step.side, 4 + math.abs(step.count), function(ok, have, reason)
      if ok then
        done(result("applied", object))
      elseif have == before then
        done(rejected(object, name .. ": the mod did nothing"
          .. (reason ~= nil and " (" .. Guard.plain(reason, 80) .. ")" or "") .. "; please do it by hand."))
      else
        done(result("partial", object, name .. ": " .. string.format("%d", have) .. " instead of "
          .. string.format("%d", wanted) .. " lie there; please correct it by hand."))
      end
    end)
  end)
end

-- A lock of that locker on a ship: by its own table, else by the name that the mod wrote on the token.
local function find_lock(locker_guid, locker, target)
  local name = Mod.name(locker)
  local by_name = nil
  for guid, written in pairs(Mod.locks_on(target)) do
    if State.data.locks[guid] == locker_guid then
      return guid
    end
    if State.data.locks[guid] == nil and written == name then
      by_name = guid
    end
  end
  return by_name
end

local function remove_lock(step, object, target, done)
  local guid = find_lock(step.object, object, target)
  local token = Guard.object(guid)
  if token == nil then
    done(result("applied", object))
    return
  end
  local ok, reason = Guard.try(function()
    target.call("RemoveToken", { token = token })
    token.destruct()
  end)
  if not ok then
    done(rejected(object, "The lock could not be taken away: " .. reason .. "."))
    return
  end
  State.data.locks[guid] = nil
  State.touch()
  Guard.await("lock", function() return Mod.locks_on(target)[guid] == nil end, 3, function(gone)
    done(result(gone and "applied" or "partial", object, not gone and "The lock token is still there." or nil))
  end)
end

function kinds.lock(step, object, done, id)
  local target = Guard.object(step.target)
  if target == nil or not Mod.is_ship(target) then
    done(rejected(object, "Only locks on ships can be laid here; please lay this one by hand."))
    return
  end
  checked(object, nil, done, function()
    State.begin(id, step.object)
    if step.remove == true then
      remove_lock(step, object, target, done)
      return
    end
    if find_lock(step.object, object, target) ~= nil then
      done(result("applied", object))
      return
    end
    local before = Mod.locks_on(target)
    local ok, reason = Mod.action(object, "Target Lock", { ship = object, target = target })
    if not ok then
      done(rejected(object, "The mod could not lay the lock: " .. reason .. "."))
      return
    end
    -- The token comes some frames later, and gets its name later still.
    Guard.await("lock", function()
      for guid in pairs(Mod.locks_on(target)) do
        if before[guid] == nil then
          State.data.locks[guid] = step.object
          State.touch()
          return true
        end
      end
      return false
    end, 3, function(there)
      if there then
        done(result("applied", object))
      else
        done(rejected(object, "The lock token did not appear; please lay it by hand."))
      end
    end)
  end)
end

-- Takes a ship off the mat that was shot down or fled: it stays on the table beside it, so that it can be put back. Its
-- tokens go, and so do its locks on others.
function kinds.remove(step, object, done, id)
  checked(object, nil, done, function()
    State.begin(id, step.object)
    if type(step.back) == "table" then
      State.data.removed[step.object] = nil
      put(object, step.back, done)
      return
    end
    for _, token in ipairs(Mod.ship_tokens(object)) do
      Mod.take_token(object, token)
    end
    for _, other in ipairs(Mod.ships()) do
      for guid in pairs(Mod.locks_on(other)) do
        if State.data.locks[guid] == step.object then
          Mod.take_token(other, Guard.object(guid))
        end
      end
    end
    local place = Mod.parking_place(object)
    State.data.removed[step.object] = true
    State.touch()
    if place == nil then
      done(result("applied", object, "There is no mat to put it beside; please take it away."))
      return
    end
    Mod.clear_bump(object)
    Guard.try(function() object.setPositionSmooth(place, false, true) end)
    when_at_rest(object, Steps.rest_seconds, function(rests)
      if rests and not Mod.on_a_mat(object) then
        done(result("applied", object))
      else
        done(result("partial", object, "It could not be moved off the mat; please take it away by hand."))
      end
    end)
  end)
end

function kinds.turret(step, object, done, id)
  local arc = Mod.arcs[step.arc]
  if arc == nil then
    done(rejected(object, "The mod has no turret direction " .. tostring(step.arc) .. "."))
    return
  end
  checked(object, nil, done, function()
    State.begin(id, step.object)
    local ok, reason = Guard.try(function()
      object.call("SetTurretArc", { mount = step.mount, arc = arc })
    end)
    local now = Guard.value("", function() return object.call("GetTurretArc", { mount = step.mount }) end)
    if ok and now == arc then
      done(result("applied", object))
    else
      done(rejected(object, "The turret of " .. Mod.name(object) .. " could not be turned"
        .. (ok and "" or ": " .. reason) .. "; please turn it by hand."))
    end
  end)
end

-- A step that had begun when the table was saved: where the ship stands tells how far it came.
local function resumed(step, object)
  if object == nil or (step.kind ~= "move" and step.kind ~= "place") then
    return nil
  end
  local now = Mod.pose(object)
  if Mod.agree(now, step.to) then
    return flown("applied", object)
  end
  if Mod.agree(now, step.from) then
    return nil
  end
  return flown("partial", object, "The table was loaded again in the middle of the move.")
end

local function start(entry)
  Steps.running = entry
  local id, step = entry.id, entry.step
  local finished = false
  local function done(answer)
    if finished then
      return
    end
    finished = true
    Steps.running = nil
    if answer.outcome == "applied" or answer.outcome == "partial" then
      State.data.rev = State.data.rev + 1
      answer.rev = State.data.rev
      State.remember(id, answer)
    else
      State.data.begun = nil
      State.touch()
    end
    if answer.outcome == "rejected" and answer.reason ~= nil then
      Panel.status(answer.reason)
    end
    for _, reply in ipairs(entry.replies) do
      Guard.run("answer", reply, answer)
    end
    Steps.next()
  end
  local object = nil
  if type(step) ~= "table" or kinds[step.kind] == nil then
    done(rejected(nil, "This controller knows no step " .. tostring(type(step) == "table" and step.kind or step)
      .. ". Install the controller again: tallyho install tts"))
    return
  end
  if step.kind ~= "say" and step.kind ~= "show" then
    object = Guard.object(step.object)
    if object == nil then
      done(rejected(nil, "The ship is gone from the table."))
      return
    end
  end
  local begun = State.data.begun
  if begun ~= nil and begun.id == id then
    local answer = resumed(step, object)
    if answer ~= nil then
      done(answer)
      return
    end
  end
  local ok, reason = Guard.try(kinds[step.kind], step, object, done, id)
  if not ok then
    done(rejected(object, "The step failed in the controller: " .. Guard.plain(reason, 120)))
  end
end

function Steps.next()
  if Steps.running == nil then
    local entry = Guard.shift(Steps.waiting)
    if entry ~= nil then
      Steps.waiting.n = Steps.waiting.n - 1
      start(entry)
    end
  end
end

-- Takes a step from the program; `reply` is called once with the result.
function Steps.apply(id, step, reply)
  local before = State.remembered(id)
  if before ~= nil then
    reply(before)
    return
  end
  local running = Steps.running
  if running ~= nil and running.id == id then
    table.insert(running.replies, reply)
    return
  end
  for i = 1, Steps.waiting.n do
    if Steps.waiting[i].id == id then
      table.insert(Steps.waiting[i].replies, reply)
      return
    end
  end
  Guard.push(Steps.waiting, { id = id, step = step, replies = { reply } })
  Steps.next()
end

-- Forgets what was queued: another session plans anew. A step in hand is finished first, and answers nobody.
function Steps.forget()
  Steps.waiting = { n = 0 }
  if Steps.running ~= nil then
    Steps.running.replies = {}
  end
end
