-- Sends the state of this Neovim: only what has changed, at most twenty times a second.
local M = {}

local buffers = require("idewire.buffers")
local folders = require("idewire.folders")
local paths = require("idewire.paths")
local selection = require("idewire.selection")

local INTERVAL_MS = 50

local connection
local timer = vim.loop.new_timer()
-- The last sent JSON of each part.
local sent = {}
local is_waiting, is_changed = false, false
-- When each buffer last had the focus, and which buffers are being written.
local focused = {}
local saving = {}
-- The newest selection; while the focus is elsewhere, the functions that read it and stop following it.
local latest, read_latest, release_latest

local function documents()
  local current = vim.api.nvim_get_current_buf()
  local shown = {}
  for _, win in ipairs(vim.api.nvim_list_wins()) do
    shown[vim.api.nvim_win_get_buf(win)] = true
  end
  local list = {}
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    local path = vim.bo[buf].buflisted and buffers.path(buf) or nil
    if path ~= nil then
      list[#list + 1] = {
        path = path,
        languageId = vim.bo[buf].filetype ~= "" and vim.bo[buf].filetype or nil,
        dirty = vim.bo[buf].modified or saving[buf] == true,
        active = buf == current,
        visible = shown[buf] == true,
        lastFocusedMs = focused[buf] or 0,
      }
    end
  end
  return list
end

local function is_open(list, path)
  for _, document in ipairs(list) do
    if document.path == path then
      return true
    end
  end
  return false
end

local function remember(now)
  if release_latest ~= nil then
    release_latest()
  end
  latest, read_latest, release_latest = now, nil, nil
end

-- The selection, and whether it is in the current window.
local function select(list)
  local now = selection.current()
  if now ~= nil then
    remember(now)
    return { path = now.path, ranges = now.ranges }, true
  end
  if latest == nil or not is_open(list, latest.path) then
    latest = nil
    return nil, false
  end
  if read_latest == nil then
    read_latest, release_latest = selection.follow(latest, M.changed)
  end
  return read_latest(), false
end

-- The focus leaves a file: follow its selection at once, as the text may change before the next state is sent.
local function leave()
  local now = selection.current()
  if now ~= nil then
    remember(now)
    read_latest, release_latest = selection.follow(now, M.changed)
  end
end

-- The whole state, by part.
local function read()
  local list = documents()
  local selected, is_current = select(list)
  local named = {}
  for _, path in ipairs(folders.list()) do
    named[#named + 1] = { path = path }
  end
  return {
    folders = { folders = named },
    documents = { documents = list },
    selection = { selection = selected or vim.NIL, focused = is_current },
  }
end

local function send()
  if connection == nil or connection.closed then
    return
  end
  local params = {}
  for part, members in pairs(read()) do
    local encoded = vim.json.encode(members)
    if encoded ~= sent[part] and not (part == "folders" and #members.folders == 0) then
      sent[part] = encoded
      params = vim.tbl_extend("force", params, members)
    end
  end
  if next(params) ~= nil then
    connection:notify("host/state", params)
  end
end

local function tick()
  is_waiting = false
  if is_changed then
    M.changed()
  end
end

-- Call this when the state may have changed: it is sent at once, or at the end of the interval.
function M.changed()
  is_changed = true
  if is_waiting or connection == nil then
    return
  end
  is_waiting = true
  timer:start(INTERVAL_MS, 0, vim.schedule_wrap(tick))
  if connection:is_busy() then
    return
  end
  is_changed = false
  send()
end

-- Sends the state now, without waiting for the interval.
function M.flush()
  if connection ~= nil and not connection:is_busy() then
    is_changed = false
    send()
  end
end

-- The whole state, for the hello.
function M.whole()
  local whole = {}
  sent = {}
  for part, members in pairs(read()) do
    sent[part] = vim.json.encode(members)
    whole = vim.tbl_extend("force", whole, members)
  end
  return whole
end

function M.attach(to)
  connection = to
  is_waiting, is_changed = false, false
end

function M.detach()
  connection = nil
  timer:stop()
end

local function on(event, run, pattern)
  vim.api.nvim_create_autocmd(event, {
    group = "idewire",
    pattern = pattern,
    callback = function(args)
      run(args)
    end,
  })
end

local function stamp(args)
  focused[args.buf] = os.time() * 1000
  M.changed()
end

local function write_begins(args)
  saving[args.buf] = true
  M.flush()
end

local function write_ended(args)
  saving[args.buf] = nil
  M.changed()
end

-- Registers the autocommands that report changes.
function M.watch()
  on({ "BufEnter", "WinEnter", "TabEnter", "FocusGained" }, stamp)
  on({ "CursorMoved", "CursorMovedI", "TextChanged", "TextChangedI", "TermEnter" }, M.changed)
  on({ "BufAdd", "BufModifiedSet", "FileType", "TermLeave" }, M.changed)
  on({ "BufLeave", "WinLeave" }, leave)
  on({ "BufDelete", "BufWipeout", "BufFilePost", "BufReadPost" }, function(args)
    buffers.forget(args.buf)
    vim.schedule(M.changed)
  end)
  on("BufWritePre", write_begins)
  on("BufWritePost", write_ended)
  on("DirChanged", M.changed)
  if vim.fn.exists("##LspAttach") == 1 then
    on("LspAttach", M.changed)
  end
  on("ModeChanged", function()
    if selection.keep(vim.v.event.old_mode) then
      M.flush()
    end
  end, "[vVsS\22\19]*:*")
  on("ModeChanged", M.changed, "*:[vVsS\22\19]*")
end

return M
