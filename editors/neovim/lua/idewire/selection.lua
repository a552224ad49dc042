-- The selection of the person: characters, lines, blocks, or the cursor.
local M = {}

local buffers = require("idewire.buffers")
local pinned = require("idewire.pinned")
local text = require("idewire.text")

-- idewire shares 100,000 UTF-16 units at most, so more bytes need not be read.
local MAX_BYTES = 300003
local MAX_LINES = 10000
local END = 2147483647

-- The selection from before visual mode ended, valid until the cursor moves or the text changes.
local kept

local function line_at(buf, number)
  return vim.api.nvim_buf_get_lines(buf, number, number + 1, false)[1] or ""
end

-- The text from one byte position to another, truncated if too long.
local function text_between(buf, first, first_byte, last, last_byte)
  local parts, size = {}, 0
  for from = first, last, 500 do
    local lines = vim.api.nvim_buf_get_lines(buf, from, math.min(from + 500, last + 1), false)
    for index, line in ipairs(lines) do
      local number = from + index - 1
      local stop = number == last and last_byte or #line
      local start = number == first and first_byte or 0
      parts[#parts + 1] = line:sub(start + 1, math.min(stop, start + MAX_BYTES))
      size = size + stop - start
      if size > MAX_BYTES then
        return table.concat(parts, "\n")
      end
    end
  end
  return table.concat(parts, "\n")
end

local function position(buf, line, byte)
  return { line = line, character = text.units(line_at(buf, line), byte) }
end

local function range(buf, first, first_byte, last, last_byte)
  return {
    start = position(buf, first, first_byte),
    ["end"] = position(buf, last, last_byte),
    text = text_between(buf, first, first_byte, last, last_byte),
  }
end

-- The byte offset after the character that begins at a byte offset.
local function after(line, byte)
  if byte >= #line then
    return #line
  end
  local stop = byte + 1
  while stop < #line and line:byte(stop + 1) >= 128 and line:byte(stop + 1) < 192 do
    stop = stop + 1
  end
  return stop
end

local function of_characters(buf, from, to)
  local first, first_byte, last, last_byte = from[2] - 1, from[3] - 1, to[2] - 1, to[3] - 1
  local line = line_at(buf, last)
  first_byte = math.min(first_byte, #line_at(buf, first))
  local is_exclusive = vim.o.selection == "exclusive"
  if not is_exclusive and last_byte >= #line and last + 1 < vim.api.nvim_buf_line_count(buf) then
    -- The line break is selected as well.
    return { range(buf, first, first_byte, last + 1, 0) }
  end
  local stop = is_exclusive and math.min(last_byte, #line) or after(line, last_byte)
  return { range(buf, first, first_byte, last, math.max(stop, first == last and first_byte or 0)) }
end

local function of_lines(buf, from, to)
  local last = to[2] - 1
  return { range(buf, from[2] - 1, 0, last, #line_at(buf, last)) }
end

-- The bytes of a line between two screen columns, counted from 0; the end is exclusive.
local function bytes_of_columns(line, left, right)
  if not line:find("[^\32-\126]") then
    return math.min(left, #line), math.min(right, #line)
  end
  local column, byte, start = 0, 0, nil
  while byte < #line and column < right do
    local stop = after(line, byte)
    local width = vim.fn.strdisplaywidth(line:sub(byte + 1, stop), column)
    if start == nil and column + width > left then
      start = byte
    end
    column, byte = column + width, stop
  end
  return start or byte, byte
end

-- The screen columns that the character at a position covers.
local function columns(buf, at)
  local line = line_at(buf, at[2] - 1)
  local byte = math.min(at[3] - 1, #line)
  local left = vim.fn.strdisplaywidth(line:sub(1, byte)) + (at[4] or 0)
  local width = vim.fn.strdisplaywidth(line:sub(byte + 1, after(line, byte)), left)
  return left, left + math.max(1, width)
end

local function of_block(buf, from, to, to_end)
  local a_left, a_right = columns(buf, from)
  local b_left, b_right = columns(buf, to)
  local left = math.min(a_left, b_left)
  local right = to_end and END or math.max(a_right, b_right)
  if vim.o.selection == "exclusive" and not to_end then
    right = math.max(a_left, b_left)
  end
  local ranges, size = {}, 0
  for number = from[2] - 1, math.min(to[2] - 1, from[2] - 1 + MAX_LINES) do
    local start, stop = bytes_of_columns(line_at(buf, number), left, right)
    ranges[#ranges + 1] = range(buf, number, start, number, stop)
    size = size + stop - start
    if size > MAX_BYTES then
      break
    end
  end
  return ranges
end

local function is_before(a, b)
  return a[2] < b[2] or (a[2] == b[2] and a[3] <= b[3])
end

local function between(buf, mode, a, b, to_end)
  local from, to = a, b
  if not is_before(a, b) then
    from, to = b, a
  end
  if mode == "V" then
    return of_lines(buf, from, to)
  elseif mode == "\22" then
    return of_block(buf, from, to, to_end)
  end
  return of_characters(buf, from, to)
end

local select_modes = { s = "v", S = "V", ["\19"] = "\22" }

local function visual(buf, mode)
  local to_end = vim.fn.winsaveview().curswant == END
  return between(buf, mode, vim.fn.getpos("v"), vim.fn.getpos("."), to_end)
end

local function drop_kept()
  if kept ~= nil then
    pinned.release(kept.ranges)
    pinned.release(kept.cursor)
    kept = nil
  end
end

local function cursor(buf)
  local at = vim.api.nvim_win_get_cursor(0)
  local where = position(buf, at[1] - 1, at[2])
  return { { start = where, ["end"] = where, text = "" } }
end

-- Called when visual mode has ended: stores the selection. Returns whether there was one.
function M.keep(old_mode)
  local buf = vim.api.nvim_get_current_buf()
  local path = buffers.path(buf)
  local from, to = vim.fn.getpos("'<"), vim.fn.getpos("'>")
  drop_kept()
  if path == nil or from[2] == 0 then
    return false
  end
  local mode = select_modes[old_mode] or old_mode
  local ranges = between(buf, mode, from, to, vim.fn.winsaveview().curswant == END)
  kept = {
    buf = buf,
    path = path,
    ranges = pinned.pin(buf, ranges),
    cursor = pinned.pin(buf, cursor(buf)),
  }
  return true
end

-- Pinned ranges as they are now.
local function ranges_of(pins)
  local ranges = {}
  for _, at in ipairs(pinned.places(pins)) do
    ranges[#ranges + 1] = range(pins.buf, at[1], at[2], at[3], at[4])
  end
  return ranges
end

-- The stored selection, unless the cursor has moved; both follow insertions elsewhere in the text.
local function kept_ranges(buf)
  if kept == nil or kept.buf ~= buf then
    return nil
  end
  local now = vim.api.nvim_win_get_cursor(0)
  local at = pinned.places(kept.cursor)[1]
  local ranges = ranges_of(kept.ranges)
  if at == nil or at[1] ~= now[1] - 1 or at[2] ~= now[2] or #ranges == 0 then
    drop_kept()
    return nil
  end
  return ranges
end

-- Keeps a selection of M.current() up to date while the focus is elsewhere: returns a function that reads it and
-- one that ends this. Needed since no autocommand reports changes of buffers other than the current one.
function M.follow(value, onchange)
  local pins = pinned.pin(value.buf, value.ranges)
  local is_over = false
  vim.api.nvim_buf_attach(value.buf, false, {
    on_lines = function()
      vim.schedule(onchange)
      return is_over
    end,
  })
  return function()
    local ranges = ranges_of(pins)
    return #ranges > 0 and { path = value.path, ranges = ranges } or nil
  end, function()
    is_over = true
    pinned.release(pins)
  end
end

-- The selection in the current window; nil if it shows no file.
function M.current()
  local buf = vim.api.nvim_get_current_buf()
  if vim.api.nvim_win_get_config(0).relative ~= "" then
    return nil
  end
  local path = buffers.path(buf)
  if path == nil then
    return nil
  end
  local mode = vim.api.nvim_get_mode().mode:sub(1, 1)
  mode = select_modes[mode] or mode
  if mode == "v" or mode == "V" or mode == "\22" then
    return { buf = buf, path = path, ranges = visual(buf, mode) }
  end
  return { buf = buf, path = path, ranges = kept_ranges(buf) or cursor(buf) }
end

return M
