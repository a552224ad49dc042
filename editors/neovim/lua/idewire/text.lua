-- Converts between the texts of buffers and those of idewire, which are exact to the byte and use UTF-16 offsets.
local M = {}

local BOM = "\239\187\191"
local is_new = vim.fn.has("nvim-0.11") == 1

-- The number of UTF-16 units before a byte offset of a line.
function M.units(line, byte)
  byte = math.max(0, math.min(byte, #line))
  if not line:find("[\128-\255]") then
    return byte
  end
  if is_new then
    return vim.str_utfindex(line, "utf-16", byte, false)
  end
  local _, units = vim.str_utfindex(line, byte)
  return units
end

-- The byte offset of a UTF-16 offset; the end of the line if it is shorter.
function M.byte(line, units)
  if not line:find("[\128-\255]") then
    return math.max(0, math.min(units, #line))
  end
  local ok, byte
  if is_new then
    ok, byte = pcall(vim.str_byteindex, line, "utf-16", units, false)
  else
    ok, byte = pcall(vim.str_byteindex, line, units, true)
  end
  return ok and math.min(byte, #line) or #line
end

-- Splits a text into lines and the values of the buffer's options. Mixed line endings stay in the lines.
function M.parse(text)
  local parts = { bom = text:sub(1, 3) == BOM, lines = {} }
  if parts.bom then
    text = text:sub(4)
  end
  local _, breaks = text:gsub("\n", "")
  local _, pairs_of_both = text:gsub("\r\n", "")
  parts.dos = breaks > 0 and breaks == pairs_of_both
  parts.eol = text:sub(-1) == "\n"
  if not parts.eol then
    text = text .. (parts.dos and "\r\n" or "\n")
  end
  for line in text:gmatch("([^\n]*)\n") do
    if parts.dos then
      line = line:sub(1, -2)
    end
    parts.lines[#parts.lines + 1] = line
  end
  return parts
end

-- Fills a buffer with a text, as if it had been read from a file.
function M.fill(buf, text)
  local parts = M.parse(text)
  local options = vim.bo[buf]
  options.modifiable = true
  options.undolevels = -1
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, parts.lines)
  options.fileformat = parts.dos and "dos" or "unix"
  options.bomb = parts.bom
  options.fixendofline = false
  options.endofline = parts.eol
  options.undolevels = vim.o.undolevels
  options.modified = false
  return parts
end

local breaks = { unix = "\n", dos = "\r\n", mac = "\r" }

-- The text of a buffer as it would be written.
function M.of(buf)
  local options = vim.bo[buf]
  local lines = vim.api.nvim_buf_get_lines(buf, 0, -1, false)
  local eol = options.endofline or (options.fixendofline and not options.binary)
  if #lines == 1 and lines[1] == "" and (options.buftype == "" or not options.endofline) then
    return options.bomb and BOM or ""
  end
  local ending = breaks[options.fileformat] or "\n"
  local text = table.concat(lines, ending)
  return (options.bomb and BOM or "") .. text .. (eol and ending or "")
end

return M
