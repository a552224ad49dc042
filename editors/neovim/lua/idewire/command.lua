-- :Idewire, its completion, and the <Plug> mappings.
local M = {}

local config = require("idewire.config")

local agents = { "claude", "gemini", "qwen", "copilot", "codex", "opencode" }

local function api()
  return require("idewire")
end

local function describe(status)
  local list = {}
  for _, agent in ipairs(status.agents) do
    list[#list + 1] = require("idewire.host").name_of(agent)
  end
  local who = #list > 0 and ("; connected: " .. table.concat(list, ", ")) or "; no agent is connected"
  local why = status.message ~= "" and (": " .. status.message) or ""
  return status.state .. why .. who
end

local verbs = {
  run = function(words)
    require("idewire.run").toggle(words[1], vim.list_slice(words, 2))
  end,
  accept = function(words)
    api().accept(words[1])
  end,
  reject = function(words)
    api().reject(words[1])
  end,
  diffs = function()
    require("idewire.diffs").choose()
  end,
  send = function(words, args)
    local first, last
    if args.range > 0 then
      first, last = args.line1, args.line2
    end
    require("idewire.send").send(words[1], first, last)
  end,
  share = function(words)
    api().share(words[1])
  end,
  sent = function()
    require("idewire.sent").show()
  end,
  start = function()
    api().start()
  end,
  stop = function()
    api().stop()
  end,
  status = function()
    require("idewire.notice").info(describe(api().status()))
  end,
}

local names = vim.tbl_keys(verbs)
table.sort(names)

-- Runs one :Idewire command.
function M.run(args)
  local words = vim.deepcopy(args.fargs)
  local verb = table.remove(words, 1)
  local run = verbs[verb]
  local notice = require("idewire.notice")
  if run == nil then
    return notice.warn(("no command %s; it is one of %s"):format(verb or "", table.concat(names, ", ")))
  end
  notice.guard(run, words, args)
end

local function ids()
  local list = {}
  for _, diff in ipairs(api().diffs()) do
    list[#list + 1] = diff.id
  end
  return list
end

local function choices(verb, lead)
  if verb == "run" then
    return agents
  elseif verb == "accept" or verb == "reject" then
    return ids()
  elseif verb == "share" then
    return config.levels
  elseif verb == "send" then
    return vim.fn.getcompletion(lead, "file")
  end
  return {}
end

function M.complete(lead, line)
  local words = vim.split(line:gsub("^.-Idewire%s+", ""), "%s+")
  local list = #words < 2 and names or choices(words[1], lead)
  return vim.tbl_filter(function(word)
    return vim.startswith(word, lead)
  end, list)
end

return M
