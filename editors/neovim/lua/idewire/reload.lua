-- Reloads files that agents have written; unsaved text is never lost, and nothing asks for a key.
local M = {}

local buffers = require("idewire.buffers")
local notice = require("idewire.notice")
local paths = require("idewire.paths")

-- By buffer: the version of its file when it was read or written.
local versions = {}

-- The version of a buffer's file that Neovim has read or written.
function M.known(buf)
  return versions[buf]
end

local function remember(args)
  local path = buffers.path(args.buf)
  versions[args.buf] = path and paths.version(path) or nil
end

-- Neovim has detected a changed file: without this it may ask the person, which no agent should cause.
local function decide(args)
  if vim.bo[args.buf].modified then
    vim.v.fcs_choice = ""
    notice.warn(paths.short(args.file) .. " has changed on the disk; your unsaved text is kept (:e! loads the file)")
  elseif vim.v.fcs_reason == "deleted" then
    vim.v.fcs_choice = ""
  else
    vim.v.fcs_choice = "reload"
  end
end

-- By buffer: the autocommand that answers for the person.
local deciding = {}

local function decide_for(buf)
  if deciding[buf] == nil then
    deciding[buf] = vim.api.nvim_create_autocmd("FileChangedShell", {
      group = "idewire",
      buffer = buf,
      callback = decide,
    })
  end
end

-- An agent has written a file, or is about to.
function M.written(path)
  local buf = buffers.find(path)
  if buf == nil then
    return
  end
  decide_for(buf)
  if vim.bo[buf].modified then
    notice.warn(paths.short(path) .. " was written by an agent; your unsaved text is kept (:e! loads the file)")
    return
  end
  if vim.fn.getcmdwintype() ~= "" then
    return
  end
  pcall(vim.cmd, "silent! checktime " .. buf)
end

-- The person has accepted a diff of this file: from now on nothing asks about it.
function M.expect(path)
  local buf = buffers.find(path)
  if buf ~= nil then
    decide_for(buf)
  end
end

function M.watch()
  vim.api.nvim_create_autocmd({ "BufReadPost", "BufWritePost", "FileChangedShellPost" }, {
    group = "idewire",
    callback = remember,
  })
  vim.api.nvim_create_autocmd({ "BufWipeout" }, {
    group = "idewire",
    callback = function(args)
      versions[args.buf] = nil
      deciding[args.buf] = nil
    end,
  })
end

return M
