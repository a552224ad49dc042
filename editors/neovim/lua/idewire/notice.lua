-- Notices to the person: one line that begins with "idewire:" and never asks for a key.
local M = {}

local function cut(text)
  local room = math.max(20, vim.v.echospace)
  if vim.fn.strdisplaywidth(text) <= room then
    return text
  end
  local count = vim.fn.strchars(text)
  while count > 1 and vim.fn.strdisplaywidth(vim.fn.strcharpart(text, 0, count)) > room - 1 do
    count = count - math.max(1, math.floor((count - room) / 2))
  end
  return vim.fn.strcharpart(text, 0, count) .. "…"
end

-- Hides the mode message, as -- INSERT -- or -- TERMINAL -- would replace the notice at once.
local function make_room()
  if not vim.o.showmode or not vim.api.nvim_get_mode().mode:match("^[iRt]") then
    return
  end
  vim.o.showmode = false
  vim.cmd("redraw")
  vim.api.nvim_create_autocmd("ModeChanged", {
    once = true,
    callback = function()
      vim.o.showmode = true
    end,
  })
end

local function show(text, level)
  local line = cut("idewire: " .. text:gsub("%c+", " "))
  vim.schedule(function()
    make_room()
    vim.notify(line, level)
  end)
end

function M.info(text)
  show(text, vim.log.levels.INFO)
end

function M.warn(text)
  show(text, vim.log.levels.WARN)
end

-- Runs a function and shows its error as a notice. Returns whether it succeeded, and its result.
function M.guard(run, ...)
  local ok, result = pcall(run, ...)
  if not ok then
    M.warn((tostring(result):gsub("^.-:%d+: ", ""):gsub("^idewire: ", "")))
  end
  return ok, result
end

return M
