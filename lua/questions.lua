-- Questions to the players, shown one at a time to the left of the controller.

local black, green, grey = { 0.05, 0.06, 0.08 }, { 0.1, 0.35, 0.15 }, { 0.25, 0.25, 0.28 }
local x, top, step = -6.4, -2.4, 0.55

-- Buttons for the first question: its text, its answers page by page, the default marked.
function Panel.question_rows(list, button)
  local question = Panel.questions[1]
  if question == nil then
    return
  end
  button(list, Guard.wrap(question.text, 46, 7), "tallyho_nothing", x, top, 2400, black)
  list[list.n].font_size = 90
  list[list.n].height = 560
  local count, most = #question.options, Panel.options_most
  if Panel.page * most >= count then
    Panel.page = 0
  end
  local shown = 0
  for i = Panel.page * most + 1, math.min(count, (Panel.page + 1) * most) do
    local option = question.options[i]
    shown = shown + 1
    local default = option == question.default
    button(list, Guard.plain(option, 48) .. (default and " (default)" or ""), "tallyho_option_" .. shown,
      x, top + 0.75 + step * shown, 2200, default and green or grey, option)
  end
  if count > most then
    button(list, string.format("More answers (%d of %d)", Panel.page + 1, math.ceil(count / most)),
      "tallyho_more_answers", x, top + 0.75 + step * (shown + 1), 2200)
  end
end

local function shown_first(question)
  if Panel.questions[1] == question then
    Panel.page = 0
  end
end

local function take_off(question)
  for i = 1, Panel.questions.n do
    if Panel.questions[i] == question then
      shown_first(question)
      table.remove(Panel.questions, i)
      Panel.questions.n = Panel.questions.n - 1
      return
    end
  end
end

-- Puts a question; one of the same id is replaced where it stands. `choose` gets the answer that was pressed.
function Panel.put(question)
  for i = 1, Panel.questions.n do
    if Panel.questions[i].id == question.id then
      Panel.questions[i].over = true
      Panel.questions[i] = question
      shown_first(question)
      Panel.redraw()
      return
    end
  end
  Guard.push(Panel.questions, question)
  Panel.redraw()
end

-- Something that the players may do and need not.
function Panel.offer(id, text, options, choose)
  Panel.put({ id = id, text = text, options = options, over = false, choose = choose })
end

-- Takes a question of ours off, if it is still there.
function Panel.withdraw(id)
  for i = 1, Panel.questions.n do
    local question = Panel.questions[i]
    if question.id == id then
      question.over = true
      take_off(question)
      Panel.redraw()
      return
    end
  end
end

-- Answers a question of the program, once.
function Panel.answer(question, choice)
  if question.over then
    return
  end
  question.over = true
  Panel.asked[question.id] = choice
  take_off(question)
  question.reply(choice)
  Panel.redraw()
end

-- The program no longer waits for the answer to a request: its question is taken off, answered with its default.
function Panel.cancel(request)
  for i = 1, Panel.questions.n do
    local question = Panel.questions[i]
    if question.request ~= nil and question.request == request then
      Panel.answer(question, question.default)
      return
    end
  end
end

-- Asks the players for the program, on its request of that number; the default is taken at the deadline.
function Panel.ask(request, params, reply)
  local id = tostring(params.promptId)
  if Panel.asked[id] ~= nil then
    reply(Panel.asked[id])
    return
  end
  for i = 1, Panel.questions.n do
    if Panel.questions[i].id == id then
      Panel.questions[i].reply = reply
      Panel.questions[i].request = request
      return
    end
  end
  local question = {
    id = id, request = request, text = tostring(params.text), default = params.default, reply = reply, over = false,
    options = type(params.options) == "table" and params.options or {},
  }
  question.choose = function(option) Panel.answer(question, option) end
  if type(params.input) == "table" then
    Faces.turn_into(question, params.input, function(text) Panel.answer(question, text) end)
    Guard.tell(tostring(params.text) .. " Type the faces at the controller.", { 1, 1, 0.6 })
  else
    Guard.tell(question.text .. " (" .. table.concat(question.options, " / ") .. ")", { 1, 1, 0.6 })
  end
  Panel.put(question)
  local deadline = (tonumber(params.deadlineMs) or 30000) / 1000
  Guard.later("question", deadline, function() Panel.answer(question, question.default) end)
end

function tallyho_more_answers()
  Guard.run("press", function()
    Panel.page = Panel.page + 1
    Panel.redraw()
  end)
end

for i = 1, Panel.options_most do
  _G["tallyho_option_" .. string.format("%d", i)] = function()
    Guard.run("press", function()
      local question = Panel.questions[1]
      local option = question ~= nil and question.options[Panel.page * Panel.options_most + i] or nil
      if option ~= nil then
        question.choose(option)
        Panel.redraw()
      end
    end)
  end
end
