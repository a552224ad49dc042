import { expect, test } from "vitest";
import { openSession } from "../../test/session.ts";
import { neovim as kind, Neovim } from "./neovim.ts";

const recordsEvents = `Events = {}
vim.api.nvim_create_autocmd("User", { pattern = "Idewire*", callback = function(args)
  Events[#Events + 1] = args.match .. " " .. #require("idewire").diffs()
end })`;

const mappings = `
vim.keymap.set({ "n", "x" }, ",s", "<Plug>(idewire-send)")
vim.keymap.set("n", ",d", "<Plug>(idewire-diffs)")
vim.keymap.set("n", ",a", "<Plug>(idewire-accept)")
vim.keymap.set("n", ",r", "<Plug>(idewire-reject)")
vim.keymap.set("n", ",o", "<Plug>(idewire-run)")`;

const open = (code: string, setup = "") =>
  openSession(
    (workspace, file) => new Neovim(workspace, { files: [file], code, setup }),
    "one\ntwo\nthree\n",
    "a.md",
  );

test("agents and diffs are events, and the status line names and counts them", async () => {
  const { path, editor, client } = await open(recordsEvents);
  const statusline = 'require("idewire").statusline()';
  await editor.untilValue(statusline, "idewire: Claude Code");
  const edit = client.edit(path, "one\nTWO\nthree\n");
  await editor.shows(kind.review);
  expect(editor.evaluate(statusline)).toBe("idewire: Claude Code, 1 diff");
  editor.reject();
  await edit.result;
  await editor.untilValue(statusline, "idewire: Claude Code");
  await client.exit();
  await editor.until("agents", 0);
  const events = JSON.parse(editor.evaluate("vim.json.encode(Events)")) as readonly string[];
  const ofDiffs = events.filter((event) => event.includes("Diff"));
  expect(ofDiffs).toEqual(["IdewireDiffOpened 1", "IdewireDiffClosed 0"]);
  expect(events[0]).toBe("IdewireAgents 0");
  expect(events.at(-1)).toBe("IdewireAgents 0");
});

test("a mapping for each command runs it", async () => {
  const { path, editor, client } = await open(mappings, 'diffs = "background"');
  editor.keys("j", "V", "j", ",s");
  await client.until("the lines", () => client.promptInput.includes("@a.md#L2-3"));
  editor.keys("Escape", ",s");
  await client.until("the file", () => client.promptInput.includes("@a.md "));
  const accepted = client.edit(path, "one\nTWO\nthree\n");
  await editor.until("pending", 1);
  editor.keys(",d");
  await editor.shows(kind.review);
  editor.keys(",a");
  expect(await accepted.result).toMatchObject({ by: "ide", written: "one\nTWO\nthree\n" });
  const rejected = client.edit(path, "one\n");
  await editor.until("pending", 1);
  editor.keys(",r");
  expect(await rejected.result).toMatchObject({ by: "ide", decision: "rejected" });
  editor.keys(",o");
  await editor.until("windows", 2);
  await client.exit();
});
