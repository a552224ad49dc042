-- A process of idewire, and JSON-RPC over its pipes. Nothing here blocks.
local M = {}

local uv = vim.loop

-- With more unsent bytes than this, no state is sent, since the host is not reading.
local BUSY_BYTES = 1024 * 1024
local MAX_STDERR = 4096

local Connection = {}
Connection.__index = Connection

local function decode(line)
  local ok, message = pcall(vim.json.decode, line, { luanil = { object = true, array = true } })
  if ok and type(message) == "table" then
    return message
  end
  return nil
end

-- Lines that were split over chunks are joined once, at their end.
local function line_reader(onlines)
  local parts = {}
  return function(chunk)
    local lines, from = {}, 1
    while true do
      local at = chunk:find("\n", from, true)
      if at == nil then
        break
      end
      parts[#parts + 1] = chunk:sub(from, at - 1)
      lines[#lines + 1] = table.concat(parts)
      parts = {}
      from = at + 1
    end
    if from <= #chunk then
      parts[#parts + 1] = chunk:sub(from)
    end
    if #lines > 0 then
      vim.schedule(function()
        onlines(lines)
      end)
    end
  end
end

function Connection:_receive(line)
  local message = decode(line)
  if message == nil then
    local id = line:match('^{"jsonrpc":"2.0","id":(%d+),"method"')
    if id ~= nil then
      self:fail(tonumber(id), "Neovim cannot read this message")
    end
  elseif message.method ~= nil then
    self.handlers.message(message.method, message.params or {}, message.id)
  elseif message.id ~= nil then
    local answer = self.callbacks[message.id]
    self.callbacks[message.id] = nil
    if answer ~= nil then
      answer(message.result, message.error)
    end
  end
end

function Connection:_send(message)
  if self.closed then
    return
  end
  message.jsonrpc = "2.0"
  self.stdin:write(vim.json.encode(message) .. "\n")
end

function Connection:notify(method, params)
  self:_send({ method = method, params = params })
end

-- `answer` is called with the result, or nil and the error.
function Connection:request(method, params, answer)
  self.last = self.last + 1
  self.callbacks[self.last] = answer
  self:_send({ id = self.last, method = method, params = params })
end

function Connection:reply(id, result)
  if id ~= nil then
    self:_send({ id = id, result = result })
  end
end

function Connection:fail(id, message, code)
  if id ~= nil then
    self:_send({ id = id, error = { code = code or 1, message = message } })
  end
end

-- Whether the host has fallen behind; states wait for it then.
function Connection:is_busy()
  return not self.closed and self.stdin:get_write_queue_size() > BUSY_BYTES
end

function Connection:close()
  if self.closed then
    return
  end
  self.closed = true
  for _, pipe in ipairs({ self.stdin, self.stdout, self.stderr }) do
    if not pipe:is_closing() then
      pipe:close()
    end
  end
end

-- Starts a command. `handlers.message(method, params, id)` receives its messages, `handlers.ended(code, stderr)`
-- is called once. Returns nil and an error message if it cannot be started.
function M.spawn(words, cwd, handlers)
  local self = setmetatable({ handlers = handlers, callbacks = {}, last = 0, closed = false }, Connection)
  self.stdin, self.stdout, self.stderr = uv.new_pipe(false), uv.new_pipe(false), uv.new_pipe(false)
  local errors = ""
  local handle, pid
  handle, pid = uv.spawn(words[1], {
    args = vim.list_slice(words, 2),
    stdio = { self.stdin, self.stdout, self.stderr },
    cwd = cwd,
  }, function(code)
    handle:close()
    vim.schedule(function()
      self:close()
      handlers.ended(code, errors)
    end)
  end)
  if handle == nil then
    self:close()
    return nil, tostring(pid)
  end
  self.pid = pid
  local read = line_reader(function(lines)
    for _, line in ipairs(lines) do
      if not self.closed then
        self:_receive(line)
      end
    end
  end)
  self.stdout:read_start(function(_, chunk)
    if chunk ~= nil then
      read(chunk)
    end
  end)
  self.stderr:read_start(function(_, chunk)
    if chunk ~= nil then
      errors = (errors .. chunk):sub(-MAX_STDERR)
    end
  end)
  return self
end

return M
