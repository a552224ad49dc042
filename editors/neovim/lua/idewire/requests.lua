-- What agents request of this Neovim. Each function returns the result, or raises { message = … } for the
-- model of the agent.
local M = {}

local buffers = require("idewire.buffers")
local diagnostics = require("idewire.diagnostics")
local folders = require("idewire.folders")
local paths = require("idewire.paths")
local text = require("idewire.text")
local typing = require("idewire.typing")

local MAX_BYTES = 16 * 1024 * 1024

local function fail(message)
  error({ message = message }, 0)
end

local function demand_inside(path)
  if not folders.has(paths.real(path)) then
    fail(path .. " is outside the workspace folders, or a link leads it there")
  end
end

local function read_file(path)
  local stat = vim.loop.fs_stat(path)
  if stat == nil then
    fail(path .. ": there is no such file")
  elseif stat.type ~= "file" then
    fail(path .. " is not a file")
  elseif stat.size > MAX_BYTES then
    fail(("%s has %d bytes; at most %d are read"):format(path, stat.size, MAX_BYTES))
  end
  local file, why = io.open(path, "rb")
  if file == nil then
    fail(path .. " cannot be read: " .. tostring(why))
  end
  local content = file:read("*a")
  file:close()
  if content:find("%z") then
    fail(path .. " is not a text file")
  end
  return content
end

M["host/read"] = function(params)
  local path = paths.real(params.path)
  demand_inside(path)
  local buf = buffers.find(path)
  if buf ~= nil and vim.bo[buf].modified then
    return { text = text.of(buf) }
  end
  return { text = read_file(path) }
end

-- A window for a file: one that shows it, an ordinary one, or a new one.
local function window_for(buf)
  if buffers.is_plain(0) then
    return vim.api.nvim_get_current_win()
  end
  local plain
  for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if vim.api.nvim_win_get_buf(win) == buf then
      return win
    end
    if plain == nil and buffers.is_plain(win) then
      plain = win
    end
  end
  if plain ~= nil then
    return plain
  end
  vim.cmd("topleft split")
  return vim.api.nvim_get_current_win()
end

local function is_refused(win, buf)
  local shown = vim.api.nvim_win_get_buf(win)
  return shown ~= buf
    and vim.bo[shown].modified
    and not vim.o.hidden
    and vim.bo[shown].bufhidden == ""
    and #vim.fn.win_findbuf(shown) < 2
end

local function show(win, buf)
  if is_refused(win, buf) then
    -- Neovim would refuse to hide the buffer, or discard its unsaved text.
    vim.api.nvim_win_call(win, function()
      vim.cmd("split")
      win = vim.api.nvim_get_current_win()
    end)
  end
  if vim.api.nvim_win_get_buf(win) ~= buf then
    vim.api.nvim_win_set_buf(win, buf)
  end
  return win
end

-- Line and byte of a position, within the buffer.
local function place(buf, position)
  local count = vim.api.nvim_buf_line_count(buf)
  local number = math.min(position.line, count - 1)
  local line = vim.api.nvim_buf_get_lines(buf, number, number + 1, false)[1] or ""
  local byte = position.line < count and text.byte(line, position.character) or #line
  return number + 1, byte
end

local function select(win, buf, range)
  local first, first_byte = place(buf, range.start)
  local last, last_byte = place(buf, range["end"])
  vim.api.nvim_win_set_cursor(win, { first, first_byte })
  if first == last and first_byte == last_byte then
    return
  end
  if last_byte == 0 then
    last = last - 1
    last_byte = #(vim.api.nvim_buf_get_lines(buf, last - 1, last, false)[1] or "")
  else
    last_byte = last_byte - 1
  end
  vim.cmd("normal! v")
  vim.api.nvim_win_set_cursor(win, { last, last_byte })
end

local function reveal(params, is_selected)
  local path = paths.real(params.path)
  demand_inside(path)
  if vim.loop.fs_stat(path) == nil and buffers.find(path) == nil then
    fail(path .. ": there is no such file")
  end
  local is_review = vim.api.nvim_buf_get_name(0):sub(1, 10) == "idewire://"
  local keeps_focus = params.preserveFocus or is_review or typing.is_typing()
  local before = vim.api.nvim_get_current_win()
  local buf = buffers.load(path)
  if keeps_focus and (is_review or buffers.is_plain(before)) then
    -- The window in which the person works must not change.
    require("idewire.notice").info("an agent shows " .. paths.short(path))
    return vim.empty_dict()
  end
  local win = show(window_for(buf), buf)
  if keeps_focus then
    vim.api.nvim_set_current_win(before)
    if params.range ~= nil then
      local line, byte = place(buf, params.range.start)
      vim.api.nvim_win_set_cursor(win, { line, byte })
    end
    return vim.empty_dict()
  end
  vim.api.nvim_set_current_win(win)
  if params.range ~= nil and is_selected then
    select(win, buf, params.range)
  end
  return vim.empty_dict()
end

M["host/reveal"] = function(params)
  return reveal(params, true)
end

M["host/select"] = function(params)
  return reveal(params, true)
end

M["host/diagnostics"] = function(params)
  return diagnostics.read(params.path)
end

local function open_buffer(path)
  local buf = buffers.find(paths.real(path))
  if buf == nil then
    fail(path .. " is not open")
  end
  return buf
end

M["host/save"] = function(params)
  local buf = buffers.find(paths.real(params.path))
  if buf == nil then
    return { saved = false, message = params.path .. " is not open" }
  end
  if not vim.bo[buf].modified then
    return { saved = true }
  end
  local known = require("idewire.reload").known(buf)
  if known ~= nil and known ~= paths.version(params.path) then
    local message = "the file has changed on the disk since Neovim has read it; the person must decide"
    return { saved = false, message = message }
  end
  local ok, why = pcall(vim.api.nvim_buf_call, buf, function()
    vim.cmd("silent write")
  end)
  if ok then
    return { saved = true }
  end
  return { saved = false, message = (tostring(why):gsub("^.-(E%d+:)", "%1")) }
end

M["host/format"] = function(params)
  local buf = open_buffer(params.path)
  if #buffers.clients(buf) == 0 then
    fail("no language server is attached to " .. params.path)
  end
  if vim.lsp.buf.format ~= nil then
    vim.lsp.buf.format({ bufnr = buf, timeout_ms = 5000 })
  else
    vim.api.nvim_buf_call(buf, function()
      vim.lsp.buf.formatting_sync(nil, 5000)
    end)
  end
  return vim.empty_dict()
end

M["host/closeTab"] = function(params)
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    local path = buffers.path(buf)
    if path ~= nil and (path == params.key or paths.base(path) == params.key) then
      if vim.bo[buf].modified then
        return { closed = false }
      end
      return { closed = (pcall(vim.cmd, "bdelete " .. buf)) }
    end
  end
  return { closed = false }
end

return M
