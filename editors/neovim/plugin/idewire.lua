if vim.g.loaded_idewire ~= nil then
  return
end
vim.g.loaded_idewire = true

if vim.fn.has("nvim-0.7") == 0 then
  vim.api.nvim_err_writeln("idewire: Neovim 0.7.2 or newer is needed")
  return
end

vim.api.nvim_create_user_command("Idewire", function(args)
  require("idewire.command").run(args)
end, {
  nargs = "+",
  range = true,
  desc = "Share this Neovim with coding agents",
  complete = function(lead, line)
    return require("idewire.command").complete(lead, line)
  end,
})

local plugs = {
  { "n", "run", "Idewire run" },
  { "n", "accept", "Idewire accept" },
  { "n", "reject", "Idewire reject" },
  { "n", "diffs", "Idewire diffs" },
  { "n", "send", "Idewire send" },
}
for _, plug in ipairs(plugs) do
  vim.keymap.set(plug[1], ("<Plug>(idewire-%s)"):format(plug[2]), ("<Cmd>%s<CR>"):format(plug[3]))
end
vim.keymap.set("x", "<Plug>(idewire-send)", ":Idewire send<CR>", { silent = true })
