import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { EditorOptions } from "./editor.ts";
import { kind } from "./kind.ts";
import { openSession } from "./session.ts";

const open = (options: EditorOptions = {}) =>
  openSession(
    (workspace, file) => kind.start(workspace, { files: [file], ...options }),
    "one\ntwo\nthree\n",
    "a.md",
  );

const changed = "one\nTWO\nthree\n";

test("a key accepts a change, the file is reloaded, and the windows are as they were", async () => {
  const { path, editor, client } = await open();
  editor.splitWindow();
  await editor.until("windows", 2);
  const edit = client.edit(path, changed);
  await editor.shows(kind.review);
  editor.accept();
  expect(await edit.result).toMatchObject({ by: "ide", written: changed });
  await editor.until("windows", 2);
  await expect.poll(() => editor.read("text").trimEnd()).toBe(changed.trimEnd());
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("a rejected change is not written", async () => {
  const { path, editor, client } = await open();
  const edit = client.edit(path, changed);
  await editor.shows(kind.review);
  editor.reject();
  expect(await edit.result).toMatchObject({ by: "ide", decision: "rejected" });
  await editor.until("windows", 1);
  expect(readFileSync(path, "utf8")).toBe("one\ntwo\nthree\n");
  await client.exit();
});

test("the agent writes the proposal as the person has edited it", async () => {
  const { path, editor, client } = await open();
  const edit = client.edit(path, changed);
  await editor.shows(kind.review);
  editor.appendToProposal("four");
  editor.accept();
  expect(await edit.result).toMatchObject({ by: "ide", written: `${changed}four\n` });
  await editor.until("windows", 1);
  await client.exit();
});

test.each(kind.hidings)(
  "%s leaves the change pending, and one line reports it",
  async (_, hide) => {
    const { path, editor, client } = await open();
    const edit = client.edit(path, changed);
    await editor.shows(kind.review);
    hide(editor);
    await editor.shows(`idewire: the change to a.md still waits (${kind.diffsCommand})`);
    await editor.until("windows", 1);
    editor.listDiffs();
    await editor.shows(kind.review);
    editor.acceptByName();
    expect(await edit.result).toMatchObject({ by: "ide", written: changed });
    await client.exit();
  },
);

test("a discarded proposal is closed without an answer", async () => {
  const { path, editor, client } = await open();
  const edit = client.edit(path, changed);
  await editor.shows(kind.review);
  editor.discardProposal();
  expect(await edit.result).toMatchObject({ by: "ide", decision: "rejected" });
  await editor.until("pending", 0);
  await editor.until("windows", 1);
  await client.exit();
});

test("a person who types keeps the focus; the review opens when that ends", async () => {
  const { path, editor, client } = await open();
  editor.typeAtEnd("my own words");
  const edit = client.edit(path, changed);
  await editor.shows("Claude Code proposes a change to a.md");
  editor.type(" and more");
  await editor.shows("my own words and more");
  expect(editor.read("windows")).toBe(1);
  editor.endTyping();
  await editor.shows(kind.review);
  editor.accept();
  expect(await edit.result).toMatchObject({ by: "ide", written: changed });
  await editor.shows("your unsaved text is kept");
  expect(editor.read("text")).toContain("my own words and more");
  await client.exit();
});

test("an answer in the terminal closes the review", async () => {
  const { path, editor, client } = await open();
  const edit = client.edit(path, changed);
  await editor.shows(kind.review);
  edit.answerInTerminal("accept");
  expect(await edit.result).toMatchObject({ by: "terminal" });
  await editor.until("windows", 1);
  await expect.poll(() => editor.read("text").trimEnd()).toBe(changed.trimEnd());
  await client.exit();
});

test("a file that has changed since is named before a change of it is accepted", async () => {
  const { path, editor, client } = await open();
  const edit = client.edit(path, changed);
  await editor.shows(kind.review);
  writeFileSync(path, "someone else\n");
  editor.accept();
  await editor.shows("a.md has changed since this change was proposed");
  expect(editor.read("pending")).toBe(1);
  editor.accept();
  expect(await edit.result).toMatchObject({ by: "ide", written: changed });
  await client.exit();
});

test("proposals are written byte for byte", async () => {
  const { workspace, editor, client } = await open();
  const texts = [
    ...["\n", "a", "a\n", "a\r\nb\r\n", "a\r\nb", "a\nb\r\n", "\ufeffa\n", "\ufeffa\r\n", "a\rb\n"],
    "\u{1F680}\u2028\n\n\n",
  ];
  for (const [index, text] of texts.entries()) {
    const path = join(workspace.folder, `exact${index}.txt`);
    const edit = client.edit(path, text);
    await editor.until("pending", 1);
    await editor.shows(kind.review);
    editor.acceptByName();
    expect(await edit.result).toMatchObject({ by: "ide", written: text });
    expect(readFileSync(path, "utf8")).toBe(text);
    await editor.until("windows", 1);
  }
  await client.exit();
});

test("several changes are pending in order", async () => {
  const { path, editor, client } = await open();
  const first = client.edit(path, "first\n");
  await editor.shows(kind.review);
  const second = client.edit(join(path, "..", "b.md"), "second\n");
  await editor.until("pending", 2);
  editor.accept();
  expect(await first.result).toMatchObject({ written: "first\n" });
  await editor.shows("second");
  editor.accept();
  expect(await second.result).toMatchObject({ written: "second\n" });
  await client.exit();
});

test("without reviews the agent asks in its terminal", async () => {
  const { path, client } = await open({ reviews: false });
  const edit = client.edit(path, changed);
  await client.until("the terminal asks", () => edit.asking !== undefined);
  edit.answerInTerminal("accept");
  expect(await edit.result).toMatchObject({ by: "terminal", written: changed });
  await client.exit();
});

test("a proposal of three megabytes arrives in time", async () => {
  const { workspace, editor, client } = await open();
  const text = `${"x".repeat(99)}\n`.repeat(30_000);
  const path = join(workspace.folder, "large.txt");
  const edit = client.edit(path, text);
  await editor.until("pending", 1);
  editor.acceptByName();
  expect(await edit.result).toMatchObject({ by: "ide" });
  expect(readFileSync(path, "utf8") === text).toBe(true);
  await client.exit();
});
