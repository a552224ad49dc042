-- The version of this plugin, which the command must have too.
local M = { own = "0.1.0" }

local notice = require("idewire.notice")

-- The last problem found, which is reported only once.
local known

-- What is wrong with a command that has printed its version, or nil.
function M.problem(printed)
  local found = vim.trim(printed)
  if found == M.own or not found:match("^%d+%.%d+%.%d+") then
    return nil
  end
  return ("this plugin is %s, the command %s: update the older one"):format(M.own, found)
end

-- Asks the command for its version, without waiting for it.
function M.check(command)
  local words = vim.list_extend(vim.deepcopy(command), { "--version" })
  local function done(_, lines)
    local found = M.problem(table.concat(lines, "\n"))
    if found ~= nil and found ~= known then
      notice.warn(found)
    end
    known = found
  end
  pcall(vim.fn.jobstart, words, { stdout_buffered = true, on_stdout = done })
end

return M
