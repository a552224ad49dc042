-- Highlighting of proposals without FileType, which would start language servers on them.
local M = {}

local by_extension = {
  cc = "cpp", h = "c", hs = "haskell", js = "javascript", jsx = "javascriptreact", md = "markdown",
  mjs = "javascript", pl = "perl", py = "python", rb = "ruby", rs = "rust", tex = "tex",
  ts = "typescript", tsx = "typescriptreact", yml = "yaml",
}

local function filetype(path)
  local buf = require("idewire.buffers").find(path)
  if buf ~= nil and vim.bo[buf].filetype ~= "" then
    return vim.bo[buf].filetype
  end
  if vim.fn.has("nvim-0.8") == 1 then
    local ok, found = pcall(vim.filetype.match, { filename = path })
    if ok and type(found) == "string" then
      return found
    end
  end
  local extension = path:match("%.(%w+)$")
  return extension and (by_extension[extension] or extension)
end

function M.highlight(buf, path)
  local name = filetype(path)
  if name == nil or not name:match("^[%w_.-]+$") then
    return
  end
  if vim.treesitter ~= nil and vim.treesitter.start ~= nil then
    local get = vim.treesitter.language.get_lang
    if pcall(vim.treesitter.start, buf, get and get(name) or name) then
      return
    end
  end
  if #vim.api.nvim_get_runtime_file("syntax/" .. name .. ".vim", false) > 0 then
    vim.bo[buf].syntax = name
  end
end

return M
