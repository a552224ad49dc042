-- Real paths, and which of them belong to a folder.
local M = {}

local uv = vim.loop

-- The path without symbolic links; for a missing file, that of its nearest existing directory with the rest.
function M.real(path)
  local real = uv.fs_realpath(path)
  if real ~= nil then
    return real
  end
  local parent = path:match("^(.+)/[^/]+$")
  if parent == nil then
    return path
  end
  return M.real(parent) .. path:sub(#parent + 1)
end

function M.is_inside(path, folder)
  return path == folder or path:sub(1, #folder + 1) == (folder == "/" and "/" or folder .. "/")
end

function M.base(path)
  return path:match("[^/]+$") or path
end

-- The path for a notice: relative to the working directory.
function M.short(path)
  return vim.fn.fnamemodify(path, ":.")
end

-- Home directories and / are not projects.
function M.is_project(folder)
  local home = uv.os_homedir()
  return folder ~= "/" and folder ~= home and folder ~= (home and uv.fs_realpath(home))
end

-- The nearest directory above a file that has a .git.
function M.repository(path)
  local folder = path:match("^(.+)/[^/]+$")
  while folder ~= nil and folder ~= "" do
    if uv.fs_stat(folder .. "/.git") ~= nil then
      return folder
    end
    folder = folder:match("^(.+)/[^/]+$")
  end
  return nil
end

-- Something that changes whenever the file does; nil where there is none.
function M.version(path)
  local stat = uv.fs_stat(path)
  if stat == nil then
    return nil
  end
  return ("%d.%d %d %d"):format(stat.mtime.sec, stat.mtime.nsec, stat.size, stat.ino)
end

return M
