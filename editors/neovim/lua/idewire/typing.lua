-- Whether the person is in the middle of something.
local M = {}

-- Normal, visual and terminal-normal mode can be interrupted; all others are typing.
function M.is_typing()
  local mode = vim.api.nvim_get_mode()
  if mode.blocking then
    return true
  end
  if vim.fn.getcmdwintype() ~= "" then
    return true
  end
  local name = mode.mode
  return not (name == "n" or name == "nt" or name:match("^[vV\22]") ~= nil)
end

local waiting

-- Runs a function as soon as the person has stopped typing; at once if nobody types.
function M.when_idle(run)
  if not M.is_typing() then
    return run()
  end
  if waiting == nil then
    waiting = {}
    vim.api.nvim_create_autocmd({ "ModeChanged", "CmdwinLeave" }, {
      group = "idewire",
      callback = function()
        vim.schedule(M.resume)
        return false
      end,
    })
  end
  waiting[#waiting + 1] = run
end

-- Runs the waiting functions, if the person has stopped typing.
function M.resume()
  if waiting == nil or #waiting == 0 or M.is_typing() then
    return
  end
  local all = waiting
  waiting = {}
  for _, run in ipairs(all) do
    run()
  end
end

return M
