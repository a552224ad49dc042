-- vim.diagnostic, as idewire reads it.
local M = {}

local buffers = require("idewire.buffers")
local text = require("idewire.text")

local severities = { "error", "warning", "information", "hint" }
local MAX_FILES = 1000

local function position(buf, line, byte)
  local whole = vim.api.nvim_buf_get_lines(buf, line, line + 1, false)[1]
  if whole == nil then
    local last = vim.api.nvim_buf_line_count(buf) - 1
    whole = vim.api.nvim_buf_get_lines(buf, last, last + 1, false)[1] or ""
    return { line = last, character = text.units(whole, #whole) }
  end
  return { line = line, character = text.units(whole, byte) }
end

local function is_before(a, b)
  return a.line < b.line or (a.line == b.line and a.character < b.character)
end

local function convert(buf, diagnostic)
  local start = position(buf, diagnostic.lnum, diagnostic.col)
  local stop = position(buf, diagnostic.end_lnum or diagnostic.lnum, diagnostic.end_col or diagnostic.col)
  local code = diagnostic.code
  return {
    range = { start = start, ["end"] = is_before(stop, start) and start or stop },
    severity = severities[diagnostic.severity] or "error",
    message = tostring(diagnostic.message),
    source = type(diagnostic.source) == "string" and diagnostic.source or nil,
    code = (type(code) == "string" or type(code) == "number") and code or nil,
  }
end

local function of_buffer(buf, path)
  local list = {}
  for _, diagnostic in ipairs(vim.diagnostic.get(buf)) do
    list[#list + 1] = convert(buf, diagnostic)
  end
  return { path = path, diagnostics = list }
end

-- The diagnostics of a file, or of all files that are open.
function M.read(path)
  local files = {}
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    local own = buffers.path(buf)
    if own ~= nil and (path == nil or path == own) and #files < MAX_FILES then
      files[#files + 1] = of_buffer(buf, own)
    end
  end
  return { files = files }
end

-- Calls `emit` with the paths whose diagnostics have changed, ten times a second at most.
function M.watch(emit)
  local changed, timer = {}, vim.loop.new_timer()
  vim.api.nvim_create_autocmd("DiagnosticChanged", {
    group = "idewire",
    callback = function(args)
      local path = buffers.path(args.buf)
      if path == nil then
        return
      end
      changed[path] = true
      if timer:is_active() then
        return
      end
      timer:start(100, 0, vim.schedule_wrap(function()
        local list = vim.tbl_keys(changed)
        changed = {}
        emit(list)
      end))
    end,
  })
end

return M
