-- idewire for Neovim: this editor, shared with the coding agents of its folder. :help idewire
local M = {}

local config = require("idewire.config")
local notice = require("idewire.notice")

local is_watching = false

local function host()
  return require("idewire.host")
end

-- Starts with the first file in a folder, but not for commit messages.
local function start_for(buf)
  local buffers = require("idewire.buffers")
  if not config.now.auto_start or host().status().state ~= "off" then
    return
  end
  local path = buffers.path(buf)
  if path == nil or buffers.is_message(buf) or not require("idewire.folders").has(path) then
    return
  end
  host().start()
end

local function watch_proposals()
  local diffs = require("idewire.diffs")
  local typed = require("idewire.typed_write")
  typed.watch()
  local on = vim.api.nvim_create_autocmd
  on("BufWriteCmd", {
    group = "idewire",
    pattern = "idewire://*",
    callback = function(args)
      if typed.is_typed(args.buf) then
        M.accept_buffer(args.buf)
      else
        notice.warn("this does not accept the change: type :w in its window, or :Idewire accept")
      end
    end,
  })
  on("WinClosed", {
    group = "idewire",
    callback = function(args)
      require("idewire.review_tab").closed(tonumber(args.match))
      require("idewire.review_inline").closed(tonumber(args.match))
    end,
  })
  on({ "BufWipeout", "BufDelete" }, {
    group = "idewire",
    pattern = "idewire://*",
    callback = function(args)
      diffs.wiped(args.buf)
    end,
  })
end

local function watch_start()
  -- Neovim 0.7 has no LspAttach event: there the root of a language server is found when the cursor next rests.
  local attached = vim.fn.exists("##LspAttach") == 1 and "LspAttach" or "CursorHold"
  vim.api.nvim_create_autocmd({ "BufEnter", "BufWritePost", "VimEnter", "DirChanged", attached }, {
    group = "idewire",
    callback = function()
      if vim.v.vim_did_enter == 1 then
        start_for(vim.api.nvim_get_current_buf())
      end
    end,
  })
  vim.api.nvim_create_autocmd("VimLeavePre", {
    group = "idewire",
    callback = function()
      host().stop()
    end,
  })
end

-- Shares this Neovim with agents. Options: :help idewire-setup
function M.setup(options)
  if vim.fn.has("nvim-0.7") == 0 then
    return notice.warn("Neovim 0.7.2 or newer is needed")
  end
  config.set(options)
  if is_watching then
    return
  end
  is_watching = true
  vim.api.nvim_create_augroup("idewire", { clear = true })
  require("idewire.reload").watch()
  require("idewire.state").watch()
  require("idewire.diagnostics").watch(function(paths)
    host().notify("host/diagnosticsChanged", { paths = paths })
  end)
  watch_proposals()
  watch_start()
  if vim.v.vim_did_enter == 1 then
    start_for(vim.api.nvim_get_current_buf())
  end
end

-- state (off, starting, listening, joined, waiting, failed), message, agents.
function M.status()
  return host().status()
end

-- A few words for a statusline; empty while idewire is off.
function M.statusline()
  local status = M.status()
  if status.state == "off" then
    return ""
  end
  local words = {}
  for _, agent in ipairs(status.agents) do
    words[#words + 1] = host().name_of(agent)
  end
  if #words == 0 then
    words = { status.state == "listening" and "no agent" or status.state }
  end
  local count = #M.diffs()
  local waiting = count > 0 and (", %d diff%s"):format(count, count > 1 and "s" or "") or ""
  return "idewire: " .. table.concat(words, ", "):gsub("[%%%c]", "?") .. waiting
end

-- The pending diffs, oldest first: each id, path, agent, buf.
function M.diffs()
  return require("idewire.diffs").list()
end

function M.show(id)
  require("idewire.diffs").show(id)
end

-- Accepts a diff; by default that of this tab, or the only one.
function M.accept(id)
  require("idewire.diffs").accept(id)
end

function M.reject(id)
  require("idewire.diffs").reject(id)
end

-- For a typed :w in a proposal.
function M.accept_buffer(buf)
  for _, diff in ipairs(M.diffs()) do
    if diff.buf == buf then
      notice.guard(M.accept, diff.id)
      return
    end
  end
end

-- Changes how much is shared with agents: off, path, selection, all. Without a level, a notice names the current one.
function M.share(level)
  if level == nil or level == "" then
    return notice.info("agents may know: " .. config.now.share)
  end
  if not vim.tbl_contains(config.levels, level) then
    error("share: expected one of " .. table.concat(config.levels, ", ") .. ", got " .. tostring(level), 0)
  end
  config.now.share = level
  if host().status().state == "off" then
    return
  end
  host().request("host/share", { level = level }, function(_, problem)
    notice.info(problem or ("agents may know: " .. level))
  end)
end

-- The last 50 messages and answers to agents, exactly as they received them: each agent, sentMs, frame.
function M.sent()
  return require("idewire.sent").read()
end

function M.start()
  host().start()
end

function M.stop()
  host().stop()
end

-- The terminal of an agent: opens, focuses or hides it.
function M.run(agent)
  require("idewire.run").toggle(agent)
end

return M
