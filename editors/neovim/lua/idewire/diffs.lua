-- The pending diffs. How one is shown is up to its view.
local M = {}

local buffers = require("idewire.buffers")
local config = require("idewire.config")
local notice = require("idewire.notice")
local paths = require("idewire.paths")
local reload = require("idewire.reload")
local text = require("idewire.text")
local typing = require("idewire.typing")

local views = { tab = "idewire.review_tab", inline = "idewire.review_inline" }

-- Oldest first. Each has id, path, agent, title, proposed, buf, isOutside, answer(outcome), version, view,
-- state: "waiting" (never shown), "shown", "hidden".
local pending = {}

local function index_of(id)
  for index, diff in ipairs(pending) do
    if diff.id == id then
      return index
    end
  end
  return nil
end

-- By its id, or nil.
function M.get(id)
  return pending[index_of(id) or 0]
end

function M.list()
  local list = {}
  for _, diff in ipairs(pending) do
    list[#list + 1] = { id = diff.id, path = diff.path, agent = diff.agent, buf = diff.buf }
  end
  return list
end

local function emit(pattern, diff)
  pcall(vim.api.nvim_exec_autocmds, "User", {
    pattern = pattern,
    modeline = false,
    data = vim.fn.has("nvim-0.8") == 1 and { id = diff.id, path = diff.path } or nil,
  })
end

local function view_name()
  local mode = config.now.diffs
  return views[mode] or views.tab
end

local function describe(diff)
  local where = diff.isOutside and " (outside the workspace!)" or ""
  return paths.short(diff.path) .. where
end

-- The buffer with the proposal: no file type, so that no language server starts on it.
local function create_buffer(diff)
  local buf = vim.api.nvim_create_buf(false, false)
  local options = vim.bo[buf]
  options.buftype = "acwrite"
  options.bufhidden = "hide"
  options.swapfile = false
  options.modeline = false
  local name = ("idewire://%s/%s"):format(diff.id, paths.base(diff.path):gsub("%c", "?"))
  vim.api.nvim_buf_set_name(buf, name)
  text.fill(buf, diff.proposed)
  require("idewire.syntax").highlight(buf, diff.path)
  return buf
end

-- The text that the person accepts; nil if it is the proposed one to the byte.
local function accepted_text(diff)
  local now = text.of(diff.buf)
  if now == diff.proposed then
    return nil
  end
  return now
end

-- Ends a diff: its windows close, the agent gets the outcome, the next one is shown.
local function settle(diff, outcome)
  table.remove(pending, index_of(diff.id))
  diff.isOver = true
  diff.answer(outcome)
  if diff.view ~= nil then
    diff.view.close(diff)
  end
  emit("IdewireDiffClosed", diff)
  vim.schedule(function()
    if vim.api.nvim_buf_is_valid(diff.buf) then
      pcall(vim.api.nvim_buf_delete, diff.buf, { force = true })
    end
    M.show_next()
  end)
end

local function by_id(id)
  local diff
  if id == nil or id == "" then
    local here = vim.api.nvim_get_current_buf()
    for _, each in ipairs(pending) do
      if each.buf == here or (each.view ~= nil and each.view.is_in(each, here)) then
        diff = each
      end
    end
    diff = diff or (#pending == 1 and pending[1] or nil)
    if diff == nil and #pending > 1 then
      error("several changes wait; name one: :Idewire diffs", 0)
    end
  else
    diff = M.get(id)
  end
  if diff == nil then
    error(id and id ~= "" and ("no change " .. id .. " waits") or "no change waits", 0)
  end
  return diff
end

-- Raises an error if the file has changed since the diff was proposed: the person must learn of it before accepting.
local function demand_unchanged(diff)
  local version = paths.version(diff.path)
  if version == diff.version then
    return
  end
  diff.version = version
  error(paths.short(diff.path) .. " has changed since this change was proposed; accept again if you still want it", 0)
end

-- Accepts a diff as it stands in its buffer; by default the one in this tab, or the only one.
function M.accept(id)
  local diff = by_id(id)
  demand_unchanged(diff)
  local edited = accepted_text(diff)
  vim.bo[diff.buf].modified = false
  reload.expect(diff.path)
  settle(diff, { kind = "accepted", text = edited })
end

function M.reject(id)
  settle(by_id(id), { kind = "rejected" })
end

-- Shows a diff, in the mode of the options.
function M.show(id)
  local diff = by_id(id)
  if diff.view == nil then
    diff.view = require(view_name())
  end
  diff.view.show(diff)
  diff.state = "shown"
end

local function is_any_shown()
  for _, diff in ipairs(pending) do
    if diff.state == "shown" then
      return true
    end
  end
  return false
end

-- Shows the oldest diff that was never shown, unless another is in view or the person types.
function M.show_next()
  if config.now.diffs == "background" or is_any_shown() then
    return
  end
  for _, diff in ipairs(pending) do
    if diff.state == "waiting" then
      typing.when_idle(function()
        if not diff.isOver and diff.state == "waiting" and not is_any_shown() then
          notice.guard(M.show, diff.id)
        end
      end)
      return
    end
  end
end

-- The view was closed without an answer.
function M.hidden(diff)
  if diff.isOver then
    return
  end
  diff.state = "hidden"
  diff.view = nil
  notice.info(("the change to %s still waits (:Idewire diffs)"):format(paths.short(diff.path)))
  vim.schedule(M.show_next)
end

-- The buffer was wiped out, which closes the diff.
function M.wiped(buf)
  for _, diff in ipairs(pending) do
    if diff.buf == buf and not diff.isOver then
      settle(diff, { kind = "closed" })
      return
    end
  end
end

-- An agent proposes a change; `answer` is called once with the outcome.
function M.open(params, agent, answer)
  local diff = {
    id = params.id,
    path = params.path,
    oldPath = params.oldPath,
    agent = agent,
    title = params.title,
    proposed = params.proposed,
    isOutside = params.outsideWorkspace,
    version = paths.version(params.path),
    answer = answer,
    state = "waiting",
  }
  diff.buf = create_buffer(diff)
  pending[#pending + 1] = diff
  emit("IdewireDiffOpened", diff)
  if config.now.diffs == "background" or is_any_shown() or typing.is_typing() then
    notice.info(("%s proposes a change to %s (:Idewire diffs)"):format(agent, describe(diff)))
  end
  M.show_next()
end

-- The answer is no longer needed. Returns the result of host/closeDiff.
function M.close(id)
  local diff = M.get(id)
  if diff == nil then
    return { alreadyClosed = true }
  end
  local edited = accepted_text(diff)
  settle(diff, { kind = "cancelled" })
  return { alreadyClosed = false, text = edited }
end

-- The host has exited: it expects no more answers.
function M.drop_all()
  for _, diff in ipairs(vim.list_slice(pending)) do
    diff.answer = function() end
    settle(diff, {})
  end
end

local function list_choices()
  local items = {}
  for _, diff in ipairs(pending) do
    items[#items + 1] = diff
  end
  return items
end

-- Lets the person choose among several diffs; shows the only one.
function M.choose()
  if #pending == 0 then
    return notice.info("no change waits")
  end
  if #pending == 1 then
    return M.show(pending[1].id)
  end
  vim.ui.select(list_choices(), {
    prompt = "idewire: changes that wait",
    format_item = function(diff)
      return ("%s  %s, by %s"):format(diff.id, describe(diff), diff.agent)
    end,
  }, function(diff)
    if diff ~= nil and not diff.isOver then
      notice.guard(M.show, diff.id)
    end
  end)
end

-- The text to compare with: the file on the disk; empty where there is none.
function M.old_text(diff)
  local file = io.open(diff.oldPath, "rb")
  if file == nil then
    local buf = buffers.find(diff.oldPath)
    return buf and text.of(buf) or ""
  end
  local content = file:read("*a") or ""
  file:close()
  return content
end

return M
