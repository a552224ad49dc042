-- What agents were sent, exactly as they received it.
local M = {}

local host = require("idewire.host")
local notice = require("idewire.notice")

local WAIT_MS = 2000

local function name_of(session)
  for _, agent in ipairs(host.status().agents) do
    if agent.session == session then
      return host.name_of(agent)
    end
  end
  return "an agent"
end

-- Calls `done` with the last messages, oldest first: each session, agent, sentMs, frame.
function M.fetch(done)
  host.request("host/sent", vim.empty_dict(), function(result, problem)
    for _, message in ipairs(result and result.messages or {}) do
      message.agent = name_of(message.session)
    end
    done(result and result.messages, problem)
  end)
end

-- The same, but blocks and returns them.
function M.read()
  local messages, problem, is_done
  M.fetch(function(list, why)
    messages, problem, is_done = list, why, true
  end)
  vim.wait(WAIT_MS, function()
    return is_done
  end, 10)
  if messages == nil then
    error(problem or "idewire did not answer", 0)
  end
  return messages
end

local function describe(message)
  local time = os.date("%H:%M:%S", math.floor(message.sentMs / 1000))
  return ("%s  to %s"):format(time, message.agent), message.frame
end

-- Shows them in a split.
function M.show()
  M.fetch(function(messages, problem)
    if messages == nil then
      return notice.warn(problem)
    end
    local lines = {}
    for _, message in ipairs(messages) do
      local head, frame = describe(message)
      vim.list_extend(lines, { head, frame, "" })
    end
    vim.cmd("botright new")
    local buf = vim.api.nvim_get_current_buf()
    vim.bo[buf].buftype = "nofile"
    vim.bo[buf].bufhidden = "wipe"
    vim.api.nvim_buf_set_lines(buf, 0, -1, false, #lines > 0 and lines or { "nothing was sent yet" })
    vim.bo[buf].modifiable = false
    vim.cmd("normal! G")
  end)
end

return M
