-- The process of idewire: started, sent the hello, and started again when it dies.
local M = {}

local config = require("idewire.config")
local diffs = require("idewire.diffs")
local folders = require("idewire.folders")
local notice = require("idewire.notice")
local reload = require("idewire.reload")
local requests = require("idewire.requests")
local rpc = require("idewire.rpc")
local state = require("idewire.state")
local version = require("idewire.version")

local MAX_PAUSE_S = 30
-- A host that has run this long counts as healthy: the next failure is a new one.
local WELL_S = 60
local QUICK_FAILURES = 4

local now = { state = "off", message = "", agents = {} }
local connection, restart, failures, started_at
local listening_waiters = {}

local function set(name, message)
  now.state = name
  now.message = message or ""
  vim.schedule(function()
    pcall(vim.cmd, "redrawstatus")
  end)
end

function M.status()
  return { state = now.state, message = now.message, agents = vim.deepcopy(now.agents) }
end

local function name_of(agent)
  return agent.title or agent.name or "an agent"
end

M.name_of = name_of

local function agent_of(session)
  for _, agent in ipairs(now.agents) do
    if agent.session == session then
      return name_of(agent)
    end
  end
  return "an agent"
end

local function open_diff(params, id)
  local current = connection
  diffs.open(params, agent_of(params.session), function(outcome)
    current:reply(id, outcome)
  end)
end

local function on_listening(params)
  failures = 0
  if now.state == "starting" then
    version.check(config.now.command)
  end
  set(params.joined and "joined" or "listening")
  now.share = params.share and params.share.level or nil
  local waiting = listening_waiters
  listening_waiters = {}
  for _, run in ipairs(waiting) do
    run()
  end
end

local function on_warning(params)
  if params.code == "folder-in-use" then
    now.inUse = true
    set("waiting", params.message)
  elseif params.code ~= "mention-lost" then
    notice.warn(params.message)
  end
end

local notifications = {
  ["host/listening"] = on_listening,
  ["host/agents"] = function(params)
    now.agents = params.agents
    pcall(vim.cmd, "redrawstatus")
    pcall(vim.api.nvim_exec_autocmds, "User", { pattern = "IdewireAgents", modeline = false })
  end,
  ["host/warning"] = on_warning,
  ["host/written"] = function(params)
    reload.written(params.path)
  end,
  ["host/problem"] = function(params)
    now.problem = params.message
  end,
}

local function answer(method, params, id)
  local run = requests[method]
  if run == nil then
    return connection:fail(id, method .. ": there is no such method", -32601)
  end
  local ok, result = pcall(run, params)
  state.flush()
  if ok then
    connection:reply(id, result)
  else
    local message = type(result) == "table" and result.message or tostring(result)
    connection:fail(id, message)
  end
end

local function receive(method, params, id)
  local notification = notifications[method]
  if notification ~= nil then
    notification(params)
  elseif method == "host/openDiff" then
    local ok, why = pcall(open_diff, params, id)
    if not ok then
      connection:fail(id, "Neovim cannot show this text: " .. tostring(why))
    end
  elseif method == "host/closeDiff" then
    connection:reply(id, diffs.close(params.id))
  else
    answer(method, params, id)
  end
end

local function members()
  local list = { "read", "reveal", "select", "diagnostics", "save", "format", "closeTab" }
  if config.now.diffs ~= "off" then
    vim.list_extend(list, { "openDiff", "closeDiff" })
  end
  return list
end

local function greet(current)
  local v = vim.version()
  local params = {
    protocol = 1,
    name = "Neovim",
    version = ("%d.%d.%d"):format(v.major, v.minor, v.patch),
    members = members(),
    events = { "warning", "written" },
    state = state.whole(),
  }
  current:request("host/hello", params, function(_, problem)
    if problem ~= nil then
      now.problem = problem.message
      return
    end
    state.attach(current)
    state.changed()
  end)
end

local function last_line(errors)
  local found
  for line in errors:gmatch("[^\r\n]+") do
    if line:find("%S") then
      found = line
    end
  end
  return found
end

-- What the person can do after the host has exited.
local function explain(code, errors)
  if errors:find("SyntaxError") or errors:find("ERR_REQUIRE_ESM") or errors:find("Unsupported engine") then
    return "idewire needs Node 20.19 or newer; the `node` that it runs with is older (:checkhealth idewire)"
  end
  return now.problem or last_line(errors) or ("idewire ended with code %s"):format(code)
end

local function schedule_restart(pause_s)
  restart = vim.loop.new_timer()
  restart:start(pause_s * 1000, 0, vim.schedule_wrap(function()
    restart:close()
    restart = nil
    M.start({ isAgain = true })
  end))
end

local function ended(code, errors)
  state.detach()
  local was_listening = now.state == "listening" or now.state == "joined"
  connection = nil
  now.agents = {}
  diffs.drop_all()
  if now.state == "off" then
    return
  end
  if vim.loop.now() / 1000 - started_at > WELL_S then
    failures = 0
  end
  failures = (failures or 0) + 1
  local message = explain(code, errors)
  if now.inUse then
    set("waiting", message)
    if failures == 1 then
      notice.info(message)
    end
    return schedule_restart(MAX_PAUSE_S)
  end
  if not was_listening and failures >= QUICK_FAILURES then
    set("failed", message)
    return notice.warn(message)
  end
  set("waiting", message)
  if failures == 1 then
    notice.warn(was_listening and "idewire ended, and is started again" or message)
  end
  schedule_restart(math.min(2 ^ (failures - 1), MAX_PAUSE_S))
end

local function words()
  local list = vim.list_extend(vim.deepcopy(config.now.command), { "host", "--stdio" })
  vim.list_extend(list, { "--share", config.now.share })
  for _, pattern in ipairs(config.now.exclude) do
    vim.list_extend(list, { "--exclude", pattern })
  end
  return list
end

local function missing(why)
  local command = config.now.command[1]
  if why:find("ENOENT") then
    return command .. " was not found: npm install -g idewire installs it, with Node 20.19 or newer"
  end
  return command .. " cannot be started: " .. why
end

-- Starts the host; without a folder there is nothing to share.
function M.start(options)
  if connection ~= nil or restart ~= nil then
    return
  end
  if not (options or {}).isAgain then
    failures = 0
  end
  local list = folders.list()
  if #list == 0 then
    return set("off", "no project folder: $HOME and / are not shared")
  end
  now.inUse, now.problem = nil, nil
  set("starting")
  started_at = vim.loop.now() / 1000
  local current, why = rpc.spawn(words(), list[1], { message = receive, ended = ended })
  if current == nil then
    set("failed", missing(why))
    return notice.warn(now.message)
  end
  connection = current
  greet(current)
end

function M.stop()
  set("off")
  if restart ~= nil then
    restart:close()
    restart = nil
  end
  if connection ~= nil then
    connection:close()
    connection = nil
  end
  state.detach()
  now.agents = {}
  diffs.drop_all()
end

-- Runs a function once agents can find this Neovim.
function M.when_listening(run)
  if now.state == "listening" or now.state == "joined" then
    return run()
  end
  listening_waiters[#listening_waiters + 1] = run
  M.start()
end

-- Sends a request; `done` gets the result, or nil and the reason.
function M.request(method, params, done)
  if connection == nil then
    return done(nil, "idewire does not run: " .. (now.message ~= "" and now.message or ":Idewire start"))
  end
  connection:request(method, params, function(result, problem)
    done(result, problem and problem.message)
  end)
end

function M.notify(method, params)
  if connection ~= nil then
    connection:notify(method, params)
  end
end

-- The process id of the host; nil while none runs.
function M.pid()
  return connection and connection.pid
end

return M
