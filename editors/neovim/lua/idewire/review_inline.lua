-- A diff in one window: the proposal, with the deleted lines as virtual lines and the added ones marked.
local M = {}

local diffs = require("idewire.diffs")
local notice = require("idewire.notice")
local text = require("idewire.text")
local typed = require("idewire.typed_write")

local space = vim.api.nvim_create_namespace("idewire")

-- In many colour schemes the text of DiffDelete cannot be read. A scheme, or the person, may set these.
local function define_colours()
  if vim.o.background == "dark" then
    vim.cmd("highlight default IdewireDeleted ctermfg=15 ctermbg=52 guifg=#f0d0d0 guibg=#5c1f24")
    vim.cmd("highlight default IdewireAdded ctermbg=22 guibg=#1d4428")
  else
    vim.cmd("highlight default IdewireDeleted ctermfg=0 ctermbg=217 guifg=#400000 guibg=#ffd7d5")
    vim.cmd("highlight default IdewireAdded ctermbg=194 guibg=#ccffd8")
  end
end

-- Hunks of two lists of lines: { old start, old count, new start, new count }, lines from 1.
local function hunks(diff)
  local old = table.concat(diff.inline.lines, "\n") .. "\n"
  local new = table.concat(vim.api.nvim_buf_get_lines(diff.buf, 0, -1, false), "\n") .. "\n"
  return vim.diff(old, new, { result_type = "indices" })
end

local function mark_deleted(diff, hunk)
  local lines = {}
  for number = hunk[1], hunk[1] + hunk[2] - 1 do
    lines[#lines + 1] = { { diff.inline.lines[number]:gsub("%c", " ") .. " ", "IdewireDeleted" } }
  end
  if #lines == 0 then
    return
  end
  local count = vim.api.nvim_buf_line_count(diff.buf)
  local row = hunk[4] == 0 and hunk[3] or hunk[3] - 1
  local is_end = row >= count
  vim.api.nvim_buf_set_extmark(diff.buf, space, math.min(row, count - 1), 0, {
    virt_lines = lines,
    virt_lines_above = not is_end,
  })
end

local function mark_added(diff, hunk)
  for row = hunk[3] - 1, hunk[3] + hunk[4] - 2 do
    vim.api.nvim_buf_set_extmark(diff.buf, space, row, 0, {
      end_row = row + 1,
      hl_group = "IdewireAdded",
      hl_eol = true,
      strict = false,
    })
  end
end

local function draw(diff)
  vim.api.nvim_buf_clear_namespace(diff.buf, space, 0, -1)
  for _, hunk in ipairs(hunks(diff)) do
    mark_deleted(diff, hunk)
    mark_added(diff, hunk)
  end
end

-- The hunk at a line of the proposal, counted from 1.
local function hunk_at(diff, line)
  for _, hunk in ipairs(hunks(diff)) do
    local first = hunk[4] == 0 and hunk[3] or hunk[3]
    local last = hunk[4] == 0 and hunk[3] + 1 or hunk[3] + hunk[4] - 1
    if line >= first and line <= last then
      return hunk
    end
  end
  return nil
end

-- Replaces the hunk at the cursor with the lines of the file; undo restores it.
function M.reject_hunk(diff)
  local hunk = hunk_at(diff, vim.api.nvim_win_get_cursor(0)[1])
  if hunk == nil then
    return notice.info("there is no change at the cursor")
  end
  local first = hunk[4] == 0 and hunk[3] or hunk[3] - 1
  local old = vim.list_slice(diff.inline.lines, hunk[1], hunk[1] + hunk[2] - 1)
  vim.api.nvim_buf_set_lines(diff.buf, first, first + hunk[4], false, old)
  draw(diff)
end

local function follow(diff)
  define_colours()
  vim.api.nvim_create_autocmd({ "TextChanged", "TextChangedI" }, {
    group = "idewire",
    buffer = diff.buf,
    callback = function()
      if diff.inline ~= nil then
        draw(diff)
      end
    end,
  })
  vim.keymap.set("n", "<Plug>(idewire-reject-hunk)", function()
    M.reject_hunk(diff)
  end, { buffer = diff.buf, desc = "idewire: reject this hunk" })
  if vim.fn.hasmapto("<Plug>(idewire-reject-hunk)", "n") == 0 then
    vim.keymap.set("n", "dx", "<Plug>(idewire-reject-hunk)", { buffer = diff.buf, remap = true })
  end
end

function M.is_in(diff, buf)
  return diff.inline ~= nil and buf == diff.buf
end

-- In the window that shows the file, or a split.
local function window_for(diff)
  local buf = require("idewire.buffers").find(diff.path)
  for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if buf ~= nil and vim.api.nvim_win_get_buf(win) == buf then
      return win, buf
    end
  end
  vim.cmd("keepalt botright split")
  return vim.api.nvim_get_current_win(), nil
end

function M.show(diff)
  if diff.inline ~= nil and vim.api.nvim_win_is_valid(diff.inline.win) then
    return vim.api.nvim_set_current_win(diff.inline.win)
  end
  local before = vim.api.nvim_get_current_win()
  local win, old = window_for(diff)
  diff.inline = {
    win = win,
    before = before,
    file = old,
    lines = text.parse(diffs.old_text(diff)).lines,
  }
  vim.api.nvim_win_call(win, function()
    vim.cmd("keepalt buffer " .. diff.buf)
  end)
  vim.api.nvim_set_current_win(win)
  follow(diff)
  draw(diff)
  local first = hunks(diff)[1]
  if first ~= nil then
    local count = vim.api.nvim_buf_line_count(diff.buf)
    vim.api.nvim_win_set_cursor(win, { math.max(1, math.min(first[3], count)), 0 })
  end
  notice.info((":w accepts the change of %s, dx rejects a hunk, :Idewire reject all of it"):format(diff.agent))
end

local function restore(diff)
  local inline = diff.inline
  diff.inline = nil
  if inline == nil or not vim.api.nvim_win_is_valid(inline.win) then
    return
  end
  if vim.api.nvim_win_get_buf(inline.win) == diff.buf then
    if inline.file ~= nil and vim.api.nvim_buf_is_valid(inline.file) then
      vim.api.nvim_win_set_buf(inline.win, inline.file)
    else
      pcall(vim.api.nvim_win_close, inline.win, true)
    end
  end
  if vim.api.nvim_win_is_valid(inline.before) then
    vim.api.nvim_set_current_win(inline.before)
  end
end

-- Called when the diff has ended.
function M.close(diff)
  vim.schedule(function()
    restore(diff)
  end)
  typed.forget(diff.buf)
end

-- A window was closed, by whatever command.
function M.closed(win)
  for _, item in ipairs(diffs.list()) do
    local diff = diffs.get(item.id)
    if diff ~= nil and diff.inline ~= nil and diff.inline.win == win then
      if typed.is_exit(win) then
        notice.guard(diffs.accept, diff.id)
      end
      if not diff.isOver then
        diff.inline = nil
        diffs.hidden(diff)
      end
    end
  end
end

return M
