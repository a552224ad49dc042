import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  openWorkspace,
  startClient,
  type Workspace,
  write,
} from "../../../tests/src/reference-clients/serve-context.ts";
import { Neovim, type NeovimOptions } from "./neovim.ts";

async function open(options: NeovimOptions = {}, workspace: Workspace = openWorkspace()) {
  const path = write(workspace, "a.md", "one\ntwo\nthree\n");
  const neovim = new Neovim(workspace, { args: ["a.md"], ...options });
  await neovim.untilListening();
  const client = await startClient(workspace);
  await client.untilReady();
  return { workspace, path, neovim, client };
}

const tabs = "vim.fn.tabpagenr('$')";
const pending = '#require("idewire").diffs()';
const name = "vim.fn.bufname()";

test("a typed :w accepts a change, the file is reloaded, and the windows are as they were", async () => {
  const { path, neovim, client } = await open();
  neovim.keys(":vsplit", "Enter");
  const edit = client.edit(path, "one\nTWO\nthree\n");
  await neovim.shows("proposed by Claude Code");
  expect(neovim.lua(tabs)).toBe("2");
  expect(neovim.lua("vim.wo.diff")).toBe("true");
  neovim.command("w");
  expect(await edit.result).toMatchObject({ by: "ide", written: "one\nTWO\nthree\n" });
  await neovim.until(tabs, "1");
  expect(neovim.lua("vim.fn.winnr('$')")).toBe("2");
  await neovim.until("vim.fn.getline(2)", "TWO");
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("what the person edits in a proposal is what the agent writes", async () => {
  const { path, neovim, client } = await open();
  const edit = client.edit(path, "one\nTWO\nthree\n");
  await neovim.shows("proposed by Claude Code");
  neovim.keys("G", "o");
  neovim.type("four");
  neovim.keys("Escape");
  neovim.command("wq");
  expect(await edit.result).toMatchObject({ by: "ide", written: "one\nTWO\nthree\nfour\n" });
  await neovim.until(tabs, "1");
  await client.exit();
});

test.each(["wa", "windo silent! update", "lua vim.cmd('write')"])(
  ":%s accepts no change",
  async (command) => {
    const { path, neovim, client } = await open();
    const edit = client.edit(path, "one\nTWO\nthree\n");
    await neovim.shows("proposed by Claude Code");
    neovim.keys("G", "o", "four", "Escape");
    neovim.command(command);
    await neovim.shows("this does not accept the change");
    expect(neovim.lua(pending)).toBe("1");
    neovim.command("Idewire reject");
    expect(await edit.result).toMatchObject({ by: "ide", decision: "rejected" });
    expect(readFileSync(path, "utf8")).toBe("one\ntwo\nthree\n");
    await client.exit();
  },
);

test.each(["rightmost", "leftmost"])(
  "closing the %s window leaves the change waiting, and one line says so",
  async (which) => {
    const { path, neovim, client } = await open();
    const edit = client.edit(path, "one\nTWO\nthree\n");
    await neovim.shows("proposed by Claude Code");
    neovim.command(which === "leftmost" ? "wincmd h | q" : "q");
    await neovim.shows("idewire: the change to a.md still waits (:Idewire diffs)");
    expect(neovim.lua(tabs)).toBe("1");
    expect(neovim.lua(name)).toBe("a.md");
    neovim.command("Idewire diffs");
    await neovim.shows("proposed by Claude Code");
    neovim.command("Idewire accept");
    expect(await edit.result).toMatchObject({ by: "ide", written: "one\nTWO\nthree\n" });
    await client.exit();
  },
);

test("a wiped proposal is closed without an answer", async () => {
  const { path, neovim, client } = await open();
  const edit = client.edit(path, "one\nTWO\nthree\n");
  await neovim.shows("proposed by Claude Code");
  neovim.command("bwipeout!");
  expect(await edit.result).toMatchObject({ by: "ide", decision: "rejected" });
  await neovim.until(pending, "0");
  await neovim.until(tabs, "1");
  await client.exit();
});

test("a person who types keeps the focus; the review opens when insert mode ends", async () => {
  const { path, neovim, client } = await open();
  neovim.keys("G", "o", "my own words");
  const edit = client.edit(path, "one\nTWO\nthree\n");
  await neovim.shows("Claude Code proposes a change to a.md");
  neovim.type(" and more");
  await neovim.shows("my own words and more");
  expect(neovim.lua(tabs)).toBe("1");
  neovim.keys("Escape");
  await neovim.shows("proposed by Claude Code");
  neovim.command("w");
  expect(await edit.result).toMatchObject({ by: "ide", written: "one\nTWO\nthree\n" });
  await neovim.shows("your unsaved text is kept");
  expect(neovim.lua("vim.fn.getline('$')")).toBe("my own words and more");
  await client.exit();
});

test("an answer in the terminal closes the review", async () => {
  const { path, neovim, client } = await open();
  const edit = client.edit(path, "one\nTWO\nthree\n");
  await neovim.shows("proposed by Claude Code");
  edit.answerInTerminal("accept");
  expect(await edit.result).toMatchObject({ by: "terminal" });
  await neovim.until(tabs, "1");
  await neovim.until("vim.fn.getline(2)", "TWO");
  await client.exit();
});

test("a file that has changed since is named before a change of it is accepted", async () => {
  const { path, neovim, client } = await open();
  const edit = client.edit(path, "one\nTWO\nthree\n");
  await neovim.shows("proposed by Claude Code");
  writeFileSync(path, "someone else\n");
  neovim.command("w");
  await neovim.shows("a.md has changed since this change was proposed");
  expect(neovim.lua(pending)).toBe("1");
  neovim.command("w");
  expect(await edit.result).toMatchObject({ by: "ide", written: "one\nTWO\nthree\n" });
  await client.exit();
});

test("proposals keep every byte", async () => {
  const { workspace, neovim, client } = await open();
  const texts = [
    "\n",
    "a",
    "a\n",
    "a\r\nb\r\n",
    "a\r\nb",
    "a\nb\r\n",
    "\ufeffa\n",
    "\ufeffa\r\n",
    "a\rb\n",
    "a\u0000b\n",
    "\u{1F680}\u2028\n\n\n",
  ];
  for (const [index, text] of texts.entries()) {
    const path = join(workspace.folder, `exact${index}.txt`);
    const edit = client.edit(path, text);
    await neovim.until(pending, "1");
    await neovim.until(tabs, "2");
    neovim.command("Idewire accept");
    expect(await edit.result).toMatchObject({ by: "ide", written: text });
    expect(readFileSync(path, "utf8")).toBe(text);
    await neovim.until(tabs, "1");
  }
  await client.exit();
});

test("several changes wait in order", async () => {
  const { path, neovim, client } = await open();
  const first = client.edit(path, "first\n");
  await neovim.shows("proposed by Claude Code");
  const second = client.edit(join(path, "..", "b.md"), "second\n");
  await neovim.until(pending, "2");
  neovim.command("w");
  expect(await first.result).toMatchObject({ written: "first\n" });
  await neovim.shows("second");
  neovim.command("w");
  expect(await second.result).toMatchObject({ written: "second\n" });
  await client.exit();
});

test("with diffs in the background no window opens by itself", async () => {
  const { path, neovim, client } = await open({ setup: 'diffs = "background"' });
  const edit = client.edit(path, "one\nTWO\nthree\n");
  await neovim.shows("Claude Code proposes a change to a.md");
  expect(neovim.lua(tabs)).toBe("1");
  neovim.command("Idewire accept");
  expect(await edit.result).toMatchObject({ by: "ide", written: "one\nTWO\nthree\n" });
  await client.exit();
});

test("inline, a hunk is rejected by a key, the rest is accepted", async () => {
  const { path, neovim, client } = await open({ setup: 'diffs = "inline"' });
  const edit = client.edit(path, "ONE\ntwo\nTHREE\n");
  await neovim.shows(/ONE[\s\S]*two[\s\S]*three[\s\S]*THREE/);
  expect(neovim.lua("vim.fn.winnr('$')")).toBe("1");
  neovim.keys("g", "g", "d", "x");
  await neovim.until("vim.fn.getline(1)", "one");
  neovim.command("w");
  expect(await edit.result).toMatchObject({ by: "ide", written: "one\ntwo\nTHREE\n" });
  await neovim.until(name, "a.md");
  await client.exit();
});

test("without diffs the agent asks in its terminal", async () => {
  const { path, client } = await open({ setup: 'diffs = "off"' });
  const edit = client.edit(path, "one\nTWO\nthree\n");
  await client.until("the terminal asks", () => edit.asking !== undefined);
  edit.answerInTerminal("accept");
  expect(await edit.result).toMatchObject({ by: "terminal", written: "one\nTWO\nthree\n" });
  await client.exit();
});

test("a person who types in a terminal keeps the focus, too", async () => {
  const { path, neovim, client } = await open();
  neovim.command("terminal cat");
  await neovim.until("vim.bo.buftype", "terminal");
  neovim.keys("i", "words");
  await neovim.until("vim.api.nvim_get_mode().mode", "t");
  const edit = client.edit(path, "one\nTWO\nthree\n");
  await neovim.shows("Claude Code proposes a change to a.md");
  expect(neovim.lua(tabs)).toBe("1");
  neovim.keys("C-\\", "C-n");
  await neovim.shows("proposed by Claude Code");
  neovim.command("x");
  expect(await edit.result).toMatchObject({ by: "ide", written: "one\nTWO\nthree\n" });
  await neovim.until(tabs, "1");
  await client.exit();
});

test("'autowriteall' accepts no change", async () => {
  const { path, neovim, client } = await open({ lua: "vim.o.autowriteall = true" });
  const edit = client.edit(path, "one\nTWO\nthree\n");
  await neovim.shows("proposed by Claude Code");
  neovim.keys("G", "o", "four", "Escape");
  neovim.command("tabnext");
  neovim.command("!true");
  neovim.keys("Enter");
  neovim.command("tabnext | edit a.md");
  await neovim.until(pending, "1");
  neovim.command("Idewire reject");
  expect(await edit.result).toMatchObject({ by: "ide", decision: "rejected" });
  await client.exit();
});

test("a write by another program asks for no key beside unsaved text", async () => {
  const { path, neovim, client } = await open();
  neovim.keys("G", "o", "mine", "Escape");
  const edit = client.edit(path, "one\nTWO\nthree\n");
  await neovim.shows("proposed by Claude Code");
  neovim.command("w");
  await edit.result;
  await neovim.shows("your unsaved text is kept");
  neovim.command("checktime");
  expect(neovim.lua("vim.fn.getline('$')")).toBe("mine");
  expect(neovim.lua("vim.api.nvim_get_mode().blocking")).toBe("false");
  await client.exit();
});
