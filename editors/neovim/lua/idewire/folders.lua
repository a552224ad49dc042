-- The folders for which agents find this Neovim.
local M = {}

local buffers = require("idewire.buffers")
local config = require("idewire.config")
local paths = require("idewire.paths")

local function lsp_root(buf)
  for _, client in ipairs(buffers.clients(buf)) do
    local root = client.config and client.config.root_dir
    if type(root) == "string" then
      return root
    end
  end
  return nil
end

local function of_buffer(buf)
  local path = buffers.path(buf)
  if path == nil or buffers.is_message(buf) then
    return nil
  end
  return lsp_root(buf) or paths.repository(path)
end

local function configured()
  local folders = config.now.folders
  if type(folders) == "function" then
    folders = folders()
  end
  if type(folders) == "string" then
    folders = { folders }
  end
  return folders
end

-- Real paths without duplicates; empty without a project.
function M.list()
  local found = configured()
  if found == nil then
    found = { vim.fn.getcwd(-1, -1) }
    if not paths.is_project(paths.real(found[1])) then
      found = {}
      for _, buf in ipairs(vim.api.nvim_list_bufs()) do
        found[#found + 1] = of_buffer(buf)
      end
    end
  end
  local list, seen = {}, {}
  for _, folder in ipairs(found) do
    local real = paths.real(vim.fn.fnamemodify(folder, ":p"):gsub("(.)/$", "%1"))
    if not seen[real] and paths.is_project(real) then
      seen[real] = true
      list[#list + 1] = real
    end
  end
  return list
end

-- Whether a path is in one of the folders.
function M.has(path)
  for _, folder in ipairs(M.list()) do
    if paths.is_inside(path, folder) then
      return true
    end
  end
  return false
end

return M
