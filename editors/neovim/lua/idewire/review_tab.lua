-- A diff as two windows in a separate tab: the file on the left, the proposal on the right.
local M = {}

local diffs = require("idewire.diffs")
local notice = require("idewire.notice")
local paths = require("idewire.paths")
local text = require("idewire.text")
local typed = require("idewire.typed_write")

local function create_old(diff)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.bo[buf].bufhidden = "wipe"
  vim.bo[buf].modeline = false
  local name = ("idewire://%s/old/%s"):format(diff.id, paths.base(diff.oldPath):gsub("%c", "?"))
  pcall(vim.api.nvim_buf_set_name, buf, name)
  text.fill(buf, diffs.old_text(diff))
  require("idewire.syntax").highlight(buf, diff.path)
  vim.bo[buf].modifiable = false
  return buf
end

local function title(win, label)
  local escaped = label:gsub("%c", "?"):gsub("%%", "%%%%")
  if vim.fn.exists("+winbar") == 1 then
    vim.wo[win].winbar = escaped
  else
    vim.wo[win].statusline = escaped
  end
end

local function prepare(win, buf, label)
  vim.api.nvim_win_set_buf(win, buf)
  vim.wo[win].winfixwidth = false
  vim.wo[win].winfixheight = false
  vim.api.nvim_win_call(win, function()
    vim.cmd("diffthis")
  end)
  title(win, label)
end

-- Scrolls to the first hunk.
local function jump(win)
  vim.api.nvim_win_call(win, function()
    vim.cmd("normal! gg")
    if vim.fn.diff_hlID(1, 1) == 0 then
      pcall(vim.cmd, "normal! ]c")
    end
  end)
end

local function open_tab(diff)
  local before = {
    tab = vim.api.nvim_get_current_tabpage(),
    win = vim.api.nvim_get_current_win(),
  }
  vim.cmd("keepalt tab split")
  local left = vim.api.nvim_get_current_win()
  vim.cmd("keepalt rightbelow vsplit")
  local right = vim.api.nvim_get_current_win()
  diff.tab = { before = before, left = left, right = right, page = vim.api.nvim_get_current_tabpage() }
  diff.tab.old = create_old(diff)
  local where = diff.isOutside and "outside the workspace: " or ""
  prepare(left, diff.tab.old, " " .. where .. paths.short(diff.oldPath))
  prepare(right, diff.buf, (" proposed by %s: :w accepts, :Idewire reject"):format(diff.agent))
  vim.cmd("wincmd =")
  vim.cmd("diffupdate")
  jump(right)
end

local function back(before)
  if vim.api.nvim_tabpage_is_valid(before.tab) then
    vim.api.nvim_set_current_tabpage(before.tab)
  end
  if vim.api.nvim_win_is_valid(before.win) then
    vim.api.nvim_set_current_win(before.win)
  end
end

local function close_windows(diff)
  local tab = diff.tab
  if tab == nil then
    return
  end
  diff.tab = nil
  local is_here = vim.api.nvim_tabpage_is_valid(tab.page)
    and vim.api.nvim_get_current_tabpage() == tab.page
  if is_here then
    if vim.api.nvim_get_mode().mode:sub(1, 1) ~= "n" then
      vim.cmd("stopinsert")
    end
    back(tab.before)
  end
  for _, win in ipairs({ tab.left, tab.right }) do
    if vim.api.nvim_win_is_valid(win) then
      pcall(vim.api.nvim_win_close, win, true)
    end
  end
end

function M.is_in(diff, buf)
  return diff.tab ~= nil and (buf == diff.tab.old or buf == diff.buf)
end

function M.show(diff)
  if diff.tab ~= nil and vim.api.nvim_tabpage_is_valid(diff.tab.page) then
    vim.api.nvim_set_current_tabpage(diff.tab.page)
    return
  end
  open_tab(diff)
end

-- Called when the diff has ended.
function M.close(diff)
  vim.schedule(function()
    close_windows(diff)
  end)
  typed.forget(diff.buf)
end

-- One of the two windows was closed.
local function window_closed(diff, win)
  if diff.tab == nil or diff.isOver or (win ~= diff.tab.left and win ~= diff.tab.right) then
    return
  end
  if typed.is_exit(win) then
    notice.guard(diffs.accept, diff.id)
    if diff.isOver then
      return
    end
  end
  vim.schedule(function()
    close_windows(diff)
    diffs.hidden(diff)
  end)
end

-- A window was closed, by whatever command.
function M.closed(win)
  for _, item in ipairs(diffs.list()) do
    local diff = diffs.get(item.id)
    if diff ~= nil and diff.view == M then
      window_closed(diff, win)
    end
  end
end

return M
