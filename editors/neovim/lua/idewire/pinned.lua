-- Ranges that follow their text through every change of the buffer.
local M = {}

local text = require("idewire.text")

local space = vim.api.nvim_create_namespace("idewire-pinned")

-- Ranges of a tall block beyond this number do not follow.
local MAX_RANGES = 200

local function line_at(buf, number)
  return vim.api.nvim_buf_get_lines(buf, number, number + 1, false)[1] or ""
end

local function set(buf, range)
  local first, last = range.start.line, range["end"].line
  return vim.api.nvim_buf_set_extmark(buf, space, first, text.byte(line_at(buf, first), range.start.character), {
    end_row = last,
    end_col = text.byte(line_at(buf, last), range["end"].character),
    end_right_gravity = false,
    strict = false,
  })
end

-- Pins the ranges of a selection in a buffer.
function M.pin(buf, ranges)
  local ids = {}
  for index = 1, math.min(#ranges, MAX_RANGES) do
    ids[index] = set(buf, ranges[index])
  end
  return { buf = buf, ids = ids }
end

-- Where the pinned ranges are now, as { row, column, end row, end column } in bytes; empty if they are gone.
function M.places(pinned)
  local places = {}
  if not vim.api.nvim_buf_is_loaded(pinned.buf) then
    return places
  end
  for _, id in ipairs(pinned.ids) do
    local at = vim.api.nvim_buf_get_extmark_by_id(pinned.buf, space, id, { details = true })
    if #at > 0 then
      local row, column = at[3].end_row or at[1], at[3].end_col or at[2]
      if row < at[1] or (row == at[1] and column < at[2]) then
        row, column = at[1], at[2]
      end
      places[#places + 1] = { at[1], at[2], row, column }
    end
  end
  return places
end

function M.release(pinned)
  if pinned == nil or not vim.api.nvim_buf_is_valid(pinned.buf) then
    return
  end
  for _, id in ipairs(pinned.ids) do
    vim.api.nvim_buf_del_extmark(pinned.buf, space, id)
  end
end

return M
