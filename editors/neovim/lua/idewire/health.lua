-- :checkhealth idewire
local M = {}

local config = require("idewire.config")
local version = require("idewire.version")

local function reporter()
  local new = vim.health or {}
  local old = vim.fn.has("nvim-0.10") == 1 and {} or require("health")
  local function pick(name)
    return new[name] or new["report_" .. name] or old["report_" .. name]
  end
  return { start = pick("start"), ok = pick("ok"), warn = pick("warn"), error = pick("error") }
end

local function run(words)
  local ok, output = pcall(vim.fn.system, words)
  return ok and vim.v.shell_error == 0, ok and vim.trim(output) or tostring(output)
end

local function check_node(report)
  if vim.fn.executable("node") == 0 then
    return report.warn("node is not on the PATH of this Neovim", { "https://nodejs.org" })
  end
  local _, version = run({ "node", "--version" })
  local major, minor = version:match("^v(%d+)%.(%d+)")
  major, minor = tonumber(major or 0), tonumber(minor or 0)
  if major > 20 or (major == 20 and minor >= 19) then
    report.ok("Node " .. version)
  else
    report.error("Node " .. version .. " is too old", { "install Node 20.19 or newer" })
  end
end

local function check_command(report)
  local words = config.now.command
  if vim.fn.executable(words[1]) == 0 then
    return report.error(words[1] .. " was not found", {
      "npm install -g idewire",
      'or setup{ command = { "/path/to/idewire" } }',
    })
  end
  local ok, output = run(vim.list_extend(vim.deepcopy(words), { "--version" }))
  if not ok then
    return report.error(table.concat(words, " ") .. " --version failed: " .. output)
  end
  report.ok(table.concat(words, " ") .. " " .. output)
  local problem = version.problem(output)
  if problem ~= nil then
    report.warn(problem)
  end
end

local function check_state(report)
  local status = require("idewire").status()
  local words = status.state .. (status.message ~= "" and ": " .. status.message or "")
  if status.state == "listening" or status.state == "joined" then
    report.ok(("%s, %d agents"):format(words, #status.agents))
  else
    report.warn(words, { ":Idewire start" })
  end
  for _, folder in ipairs(require("idewire.folders").list()) do
    report.ok("folder " .. folder)
  end
end

function M.check()
  local report = reporter()
  report.start("idewire")
  check_node(report)
  check_command(report)
  check_state(report)
end

return M
