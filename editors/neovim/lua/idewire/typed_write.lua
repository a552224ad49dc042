-- Whether the person has typed :w in a window. Neovim fires the same event for :wa, 'autowriteall' and the
-- plugins that save by themselves, and none of these is an answer.
local M = {}

local WITHIN_MS = 300

local last = { at = -WITHIN_MS, win = 0, name = "" }

-- A write, by its command's name; nil for any other command.
local function parse(line)
  local name, bang, rest = line:match("^[%s:]*(%a+)(!?)%s*(.*)$")
  if name == nil or rest ~= "" or (bang ~= "" and name == "q") then
    return nil
  end
  for _, full in ipairs({ "write", "xit", "exit", "wq", "update" }) do
    local least = full == "exit" and 3 or (full == "wq" or full == "update") and 2 or 1
    if #name >= least and full:sub(1, #name) == name then
      return full
    end
  end
  return nil
end

local function now()
  return vim.loop.hrtime() / 1e6
end

function M.watch()
  vim.api.nvim_create_autocmd("CmdlineLeave", {
    group = "idewire",
    pattern = ":",
    callback = function()
      local name = not vim.v.event.abort and parse(vim.fn.getcmdline()) or nil
      last = { at = name and now() or -WITHIN_MS, win = vim.api.nvim_get_current_win(), name = name }
    end,
  })
end

local function is_recent()
  return last.name ~= nil and now() - last.at < WITHIN_MS
end

-- Whether the write of a buffer that happens now was typed in a window that shows it.
function M.is_typed(buf)
  local is_own = vim.api.nvim_win_is_valid(last.win) and vim.api.nvim_win_get_buf(last.win) == buf
  return is_recent() and is_own
end

-- Whether a window closes because :x or :wq was typed in it.
function M.is_exit(win)
  return is_recent() and last.win == win and last.name ~= "write" and last.name ~= "update"
end

function M.forget()
  last = { at = -WITHIN_MS, win = 0 }
end

return M
