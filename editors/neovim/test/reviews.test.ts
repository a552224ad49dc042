import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSession } from "../../test/session.ts";
import { neovim as kind, Neovim, type NeovimOptions } from "./neovim.ts";

const open = (options: NeovimOptions = {}) =>
  openSession(
    (workspace, file) => new Neovim(workspace, { files: [file], ...options }),
    "one\ntwo\nthree\n",
    "a.md",
  );

const changed = "one\nTWO\nthree\n";

test("a review is two windows in diff mode, in a tab of their own", async () => {
  const { path, editor, client } = await open();
  const edit = client.edit(path, changed);
  await editor.shows(kind.review);
  expect(editor.evaluate("vim.fn.tabpagenr('$')")).toBe("2");
  expect(editor.evaluate("vim.fn.winnr('$')")).toBe("2");
  expect(editor.evaluate("vim.wo.diff")).toBe("true");
  editor.command("wq");
  expect(await edit.result).toMatchObject({ by: "ide", written: changed });
  await editor.until("windows", 1);
  await client.exit();
});

test.each(["wa", "windo silent! update", "lua vim.cmd('write')"])(
  ":%s accepts no change",
  async (command) => {
    const { path, editor, client } = await open();
    const edit = client.edit(path, changed);
    await editor.shows(kind.review);
    editor.appendToProposal("four");
    editor.command(command);
    await editor.shows("this does not accept the change");
    expect(editor.read("pending")).toBe(1);
    editor.reject();
    expect(await edit.result).toMatchObject({ by: "ide", decision: "rejected" });
    expect(readFileSync(path, "utf8")).toBe("one\ntwo\nthree\n");
    await client.exit();
  },
);

test("a proposal with NUL keeps every byte", async () => {
  const { workspace, editor, client } = await open();
  const edit = client.edit(join(workspace.folder, "nul.txt"), "a\u0000b\n");
  await editor.shows(kind.review);
  editor.accept();
  expect(await edit.result).toMatchObject({ by: "ide", written: "a\u0000b\n" });
  await client.exit();
});

test("with diffs in the background no window opens by itself", async () => {
  const { path, editor, client } = await open({ setup: 'diffs = "background"' });
  const edit = client.edit(path, changed);
  await editor.shows("Claude Code proposes a change to a.md");
  expect(editor.read("windows")).toBe(1);
  editor.acceptByName();
  expect(await edit.result).toMatchObject({ by: "ide", written: changed });
  await client.exit();
});

test("inline, a hunk is rejected by a key, the rest is accepted", async () => {
  const { path, editor, client } = await open({ setup: 'diffs = "inline"' });
  const edit = client.edit(path, "ONE\ntwo\nTHREE\n");
  await editor.shows(/ONE[\s\S]*two[\s\S]*three[\s\S]*THREE/);
  expect(editor.read("windows")).toBe(1);
  editor.keys("g", "g", "d", "x");
  await editor.untilValue("vim.fn.getline(1)", "one");
  editor.accept();
  expect(await edit.result).toMatchObject({ by: "ide", written: "one\ntwo\nTHREE\n" });
  await editor.untilValue("vim.fn.bufname()", "a.md");
  await client.exit();
});

test("a person who types in a terminal keeps the focus, too", async () => {
  const { path, editor, client } = await open();
  editor.command("terminal cat");
  await editor.untilValue("vim.bo.buftype", "terminal");
  editor.keys("i", "words");
  await editor.untilValue("vim.api.nvim_get_mode().mode", "t");
  const edit = client.edit(path, changed);
  await editor.shows("Claude Code proposes a change to a.md");
  expect(editor.read("windows")).toBe(1);
  editor.leaveAgent();
  await editor.shows(kind.review);
  editor.command("x");
  expect(await edit.result).toMatchObject({ by: "ide", written: changed });
  await editor.until("windows", 1);
  await client.exit();
});

test("'autowriteall' accepts no change", async () => {
  const { path, editor, client } = await open({ code: "vim.o.autowriteall = true" });
  const edit = client.edit(path, changed);
  await editor.shows(kind.review);
  editor.appendToProposal("four");
  editor.command("tabnext");
  editor.command("!true");
  editor.keys("Enter");
  editor.command("tabnext | edit a.md");
  await editor.until("pending", 1);
  editor.reject();
  expect(await edit.result).toMatchObject({ by: "ide", decision: "rejected" });
  await client.exit();
});

test("no key press is requested when another program writes a file with unsaved text", async () => {
  const { path, editor, client } = await open();
  editor.typeAtEnd("mine");
  editor.endTyping();
  const edit = client.edit(path, changed);
  await editor.shows(kind.review);
  editor.accept();
  await edit.result;
  await editor.shows("your unsaved text is kept");
  editor.command("checktime");
  expect(editor.evaluate("vim.fn.getline('$')")).toBe("mine");
  expect(editor.evaluate("vim.api.nvim_get_mode().blocking")).toBe("false");
  await client.exit();
});
