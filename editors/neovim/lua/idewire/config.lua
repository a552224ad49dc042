-- The options of setup(), checked.
local M = {}

M.levels = { "off", "path", "selection", "all" }
M.diff_modes = { "tab", "inline", "background", "off" }

local defaults = {
  -- The command, as a list: { "npx", "idewire" } works, too.
  command = { "idewire" },
  -- Native paths, or a function that returns them; by default the working directory, or the root of
  -- the first file where that is the home directory or /.
  folders = nil,
  share = "selection",
  -- Patterns of a .gitignore: files that agents may not see.
  exclude = {},
  diffs = "tab",
  -- Whether idewire starts with the first file.
  auto_start = true,
  run = { agent = "claude", side = "right", size = 0.4 },
}

M.now = vim.deepcopy(defaults)

local function fail(name, expected, got)
  error(("idewire: setup: %s: expected %s, got %s"):format(name, expected, vim.inspect(got)), 0)
end

local function one_of(name, value, list)
  if not vim.tbl_contains(list, value) then
    fail(name, "one of " .. table.concat(list, ", "), value)
  end
end

local function is_list_of_strings(value)
  if type(value) ~= "table" then
    return false
  end
  for key, each in pairs(value) do
    if type(key) ~= "number" or type(each) ~= "string" then
      return false
    end
  end
  return true
end

local function check(options)
  if not is_list_of_strings(options.command) or #options.command == 0 then
    fail("command", "a list of words", options.command)
  end
  local folders = options.folders
  if folders ~= nil and type(folders) ~= "function" and not is_list_of_strings(folders) then
    fail("folders", "a list of paths, or a function that returns one", folders)
  end
  if not is_list_of_strings(options.exclude) then
    fail("exclude", "a list of patterns", options.exclude)
  end
  one_of("share", options.share, M.levels)
  one_of("diffs", options.diffs, M.diff_modes)
  one_of("run.side", options.run.side, { "right", "left", "top", "bottom" })
  local size = options.run.size
  if type(size) ~= "number" or size <= 0 then
    fail("run.size", "a part of the screen below 1, or a number of lines or columns", size)
  end
end

-- Replaces the options by the defaults and these; raises an error that names a wrong one.
function M.set(options)
  options = options or {}
  for name in pairs(options) do
    if defaults[name] == nil and name ~= "folders" then
      local names = vim.tbl_keys(defaults)
      table.sort(names)
      fail(tostring(name), "one of " .. table.concat(names, ", ") .. ", folders", options[name])
    end
  end
  local merged = vim.tbl_deep_extend("force", vim.deepcopy(defaults), options)
  if type(merged.command) == "string" then
    merged.command = { merged.command }
  end
  check(merged)
  M.now = merged
end

return M
