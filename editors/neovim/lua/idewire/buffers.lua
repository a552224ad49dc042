-- The buffers of files that may be shared with agents.
local M = {}

local paths = require("idewire.paths")

-- A larger file is not sent.
local MAX_BYTES = 16 * 1024 * 1024

local messages = { gitcommit = true, gitrebase = true, hgcommit = true, svn = true, jj = true }
local message_names = { "COMMIT_EDITMSG$", "MERGE_MSG$", "TAG_EDITMSG$", "git%-rebase%-todo$" }

-- By buffer: whether it contains NULs; its real path, with the name from which that was resolved.
local binary = {}
local real = {}

function M.forget(buf)
  binary[buf] = nil
  real[buf] = nil
end

function M.is_message(buf)
  local name = vim.api.nvim_buf_get_name(buf)
  for _, pattern in ipairs(message_names) do
    if name:find(pattern) then
      return true
    end
  end
  return messages[vim.bo[buf].filetype] == true
end

local function has_nul(buf)
  if binary[buf] == nil then
    binary[buf] = false
    for _, line in ipairs(vim.api.nvim_buf_get_lines(buf, 0, 200, false)) do
      if line:find("%z") then
        binary[buf] = true
        break
      end
    end
  end
  return binary[buf]
end

-- The real path of a buffer of a text file; nil for any other buffer.
function M.path(buf)
  if not vim.api.nvim_buf_is_valid(buf) or not vim.api.nvim_buf_is_loaded(buf) then
    return nil
  end
  local options = vim.bo[buf]
  if options.buftype ~= "" or options.binary or has_nul(buf) then
    return nil
  end
  local name = vim.api.nvim_buf_get_name(buf)
  if name:sub(1, 1) ~= "/" or vim.fn.isdirectory(name) == 1 then
    return nil
  end
  if vim.api.nvim_buf_get_offset(buf, vim.api.nvim_buf_line_count(buf)) > MAX_BYTES then
    return nil
  end
  local known = real[buf]
  if known == nil or known.name ~= name then
    known = { name = name, path = paths.real(name) }
    real[buf] = known
  end
  return known.path
end

-- The loaded buffer of a file.
function M.find(path)
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if M.path(buf) == path then
      return buf
    end
  end
  return nil
end

-- Loads a file into a buffer without showing it; never asks about swap files. The name is literal.
function M.load(path)
  local buf = M.find(path) or vim.fn.bufadd(path)
  if not vim.api.nvim_buf_is_loaded(buf) then
    local shortmess = vim.o.shortmess
    vim.opt.shortmess:append("A")
    pcall(vim.fn.bufload, buf)
    vim.o.shortmess = shortmess
  end
  vim.bo[buf].buflisted = true
  return buf
end

-- Whether a window shows a file, in an ordinary place.
function M.is_plain(win)
  if vim.api.nvim_win_get_config(win).relative ~= "" then
    return false
  end
  return vim.bo[vim.api.nvim_win_get_buf(win)].buftype == ""
end

-- The language servers of a buffer. The function of Neovim 0.7 for all clients has no filter.
function M.clients(buf)
  local get = vim.lsp.get_clients
  local ok, clients = pcall(get or vim.lsp.buf_get_clients, get and { bufnr = buf } or buf)
  return ok and vim.tbl_values(clients) or {}
end

return M
