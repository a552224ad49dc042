-- The person refers agents to a file, or to lines of it.
local M = {}

local buffers = require("idewire.buffers")
local host = require("idewire.host")
local notice = require("idewire.notice")
local paths = require("idewire.paths")

local function names(sessions)
  local list = {}
  for _, agent in ipairs(host.status().agents) do
    if vim.tbl_contains(sessions, agent.session) then
      list[#list + 1] = host.name_of(agent)
    end
  end
  return #list > 0 and table.concat(list, ", ") or "the agents"
end

local function deliver(mention)
  host.request("host/mention", mention, function(result, problem)
    if problem ~= nil then
      return notice.warn(problem)
    end
    local lines = ""
    if mention.lines ~= nil then
      lines = (" %d-%d"):format(mention.lines.start + 1, mention.lines["end"] + 1)
    end
    notice.info(("sent %s%s to %s"):format(paths.short(mention.path), lines, names(result.sessions or {})))
  end)
end

local function choose(mention)
  local agents = host.status().agents
  if #agents < 2 then
    return deliver(mention)
  end
  local items = vim.list_extend({ { name = "all of them" } }, agents)
  vim.ui.select(items, {
    prompt = "idewire: send to",
    format_item = function(agent)
      return host.name_of(agent) .. (agent.pid and (" (process %d)"):format(agent.pid) or "")
    end,
  }, function(agent)
    if agent ~= nil then
      mention.session = agent.session
      deliver(mention)
    end
  end)
end

-- Sends a file or a folder; `first` and `last` are lines from 1, for the whole file nil.
function M.send(path, first, last)
  if path == nil then
    path = buffers.path(vim.api.nvim_get_current_buf())
    if path == nil then
      return notice.warn("this buffer is no file: name one, as in :Idewire send a.md")
    end
  else
    path = paths.real(vim.fn.fnamemodify(path, ":p"):gsub("(.)/$", "%1"))
    if vim.loop.fs_stat(path) == nil then
      return notice.warn(path .. ": there is no such file")
    end
  end
  local lines = first and { start = first - 1, ["end"] = last - 1 } or nil
  choose({ path = path, lines = lines })
end

return M
