-- An agent in a terminal of this Neovim, connected to it.
local M = {}

local config = require("idewire.config")
local folders = require("idewire.folders")
local host = require("idewire.host")
local notice = require("idewire.notice")

-- By agent: the buffer of its terminal.
local terminals = {}

local function split(side, size)
  local is_upright = side == "left" or side == "right"
  local whole = is_upright and vim.o.columns or vim.o.lines
  local cells = math.max(5, math.floor(size < 1 and whole * size or size))
  local where = (side == "left" or side == "top") and "topleft" or "botright"
  vim.cmd(("%s %d%ssplit"):format(where, cells, is_upright and "v" or ""))
  return vim.api.nvim_get_current_win()
end

local function window_of(buf)
  for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if vim.api.nvim_win_get_buf(win) == buf then
      return win
    end
  end
  return nil
end

local function open_window(buf)
  local win = split(config.now.run.side, config.now.run.size)
  vim.api.nvim_win_set_buf(win, buf)
  vim.wo[win].number = false
  vim.wo[win].relativenumber = false
  vim.wo[win].signcolumn = "no"
  return win
end

local function start_terminal(words, cwd, onexit)
  local options = { cwd = cwd, on_exit = onexit }
  if vim.fn.has("nvim-0.11") == 1 then
    options.term = true
    return vim.fn.jobstart(words, options)
  end
  return vim.fn.termopen(words, options)
end

local function open(agent, rest)
  local folder = folders.list()[1]
  local words = vim.list_extend(vim.deepcopy(config.now.command), { "run", agent, folder })
  if host.pid() ~= nil then
    -- If several editors serve the folder, the agent connects to this Neovim.
    vim.list_extend(words, { "--editor", tostring(host.pid()) })
  end
  if #rest > 0 then
    vim.list_extend(words, { "--" })
    vim.list_extend(words, rest)
  end
  local buf = vim.api.nvim_create_buf(false, true)
  open_window(buf)
  local job = start_terminal(words, folder, function(_, code)
    terminals[agent] = nil
    if code ~= 0 then
      notice.warn(("%s ended with code %d"):format(agent, code))
    elseif vim.api.nvim_buf_is_valid(buf) then
      pcall(vim.api.nvim_buf_delete, buf, { force = true })
    end
  end)
  if job <= 0 then
    return notice.warn(words[1] .. " cannot be started")
  end
  vim.bo[buf].bufhidden = "hide"
  terminals[agent] = buf
  vim.cmd("startinsert")
end

-- The terminal of an agent: opens, focuses or hides it.
function M.toggle(agent, rest)
  agent = agent ~= nil and agent ~= "" and agent or config.now.run.agent
  local buf = terminals[agent]
  if buf == nil or not vim.api.nvim_buf_is_valid(buf) then
    return host.when_listening(function()
      notice.guard(open, agent, rest or {})
    end)
  end
  local win = window_of(buf)
  if win == nil then
    open_window(buf)
    vim.cmd("startinsert")
  elseif win == vim.api.nvim_get_current_win() then
    vim.api.nvim_win_hide(win)
  else
    vim.api.nvim_set_current_win(win)
    vim.cmd("startinsert")
  end
end

return M
