import { expect, test } from "vitest";
import { write } from "../../tests/src/reference-clients/serve-context.ts";
import type { EditorOptions } from "./editor.ts";
import { kind } from "./kind.ts";
import { openSession } from "./session.ts";

const open = (text: string, options: EditorOptions = {}) =>
  openSession((workspace, file) => kind.start(workspace, { files: [file], ...options }), text);

test("characters are selected in UTF-16 units, whatever they are and in whatever direction", async () => {
  const { editor, client, selected } = await open("a 🚀 ü b\nnext\n");
  editor.right(2);
  editor.selectRight(2);
  await selected("🚀 ");
  expect(editor.read("ranges")).toMatchObject([
    { start: { line: 0, character: 2 }, end: { line: 0, character: 5 } },
  ]);
  editor.endSelection();
  editor.selectFromEnd(3);
  await selected("ü b");
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("a selection that has ended is shared until the cursor moves", async () => {
  const { editor, client, selected } = await open("one\ntwo\n");
  editor.selectRight(2);
  editor.endSelection();
  await selected("on");
  editor.down();
  await client.until("the cursor alone", () => client.badge === "⧉ In a.txt");
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("a rectangle is several ranges", async () => {
  const { editor, client } = await open("xabc\nü1234\nshort\n");
  editor.right(1);
  editor.selectBlock(2, 2);
  await expect
    .poll(() => editor.read("ranges"))
    .toMatchObject([
      { start: { line: 0, character: 1 }, end: { line: 0, character: 3 }, text: "ab" },
      { start: { line: 1, character: 1 }, end: { line: 1, character: 3 }, text: "12" },
    ]);
  await client.exit();
});

test("without a file, the last selection remains, and is not current", async () => {
  const { editor, client, selected } = await open("one\ntwo\n");
  editor.selectLine();
  await selected("one");
  editor.endSelection();
  editor.leaveFile();
  await editor.until("isCurrent", false);
  expect(client.inbox.context?.text).toBe("one");
  await client.exit();
});

test("three thousand cursor moves send at most twenty states a second", async () => {
  const { editor, client } = await open("word ".repeat(4000), { code: kind.countsStates });
  const before = editor.read("sentStates");
  const started = performance.now();
  for (let round = 0; round < 30; round += 1) editor.right(100);
  await editor.until("column", 3000);
  const seconds = (performance.now() - started) / 1000;
  expect(editor.read("sentStates") - before).toBeLessThanOrEqual(Math.ceil(seconds * 20) + 1);
  await client.exit();
});

test("names with spaces, quotes, newlines and patterns are files like any other", async () => {
  const { workspace, editor, client } = await open("first\n");
  const path = write(workspace, "a %#$*[x] 'q\" \\ \n b.txt", "inside\n");
  const shown = await client.callAsModel("openFile", { filePath: path });
  expect(shown).toBeDefined();
  await editor.shows("inside");
  editor.selectLine();
  await client.until("the selection", () => client.inbox.context?.text === "inside");
  const edit = client.edit(path, "other\n");
  await editor.shows(kind.review);
  editor.accept();
  expect(await edit.result).toMatchObject({ by: "ide", written: "other\n" });
  await editor.shows("other");
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("lines and files are sent to the agent by command", async () => {
  const { editor, client } = await open("one\ntwo\nthree\nfour\n");
  editor.sendTwoLines();
  await client.until("the mention", () => client.promptInput.includes("a.txt#L2-3"));
  await editor.shows("idewire: sent a.txt 2-3 to Claude Code");
  await client.exit();
  await editor.until("agents", 0);
  editor.sendFile();
  await editor.shows("idewire: no agent is connected");
  expect(client.violations).toEqual([]);
});

test("the share level is changed by command, and withdraws what was shared", async () => {
  const { editor, client, selected } = await open("one\ntwo\n");
  editor.selectLine();
  await selected("one");
  editor.share("off");
  await client.until("nothing", () => client.badge === undefined);
  await editor.shows("idewire: agents may know: off");
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("a selection follows its text when lines are inserted above it, also while the focus is elsewhere", async () => {
  const { editor, client, selected } = await open("one\ntwo\nthree\n");
  const start = () => client.inbox.context?.startLine ?? 0;
  editor.down();
  editor.selectLine();
  editor.endSelection();
  await selected("two");
  const first = start();
  editor.insertAbove("zero");
  await client.until("the selection below", () => start() === first + 1);
  expect(client.inbox.context?.text).toBe("two");
  editor.leaveFile();
  await editor.until("isCurrent", false);
  editor.insertAbove("zero");
  await client.until("the selection further below", () => start() === first + 2);
  expect(client.inbox.context?.text).toBe("two");
  await client.exit();
});

test("five megabytes are selected without a stall", async () => {
  const { editor, client } = await open(`${"x".repeat(99)}\n`.repeat(50_000));
  editor.selectAll();
  await client.until("the selection", () => (client.inbox.context?.text?.length ?? 0) > 90_000);
  expect(editor.read("readMs")).toBeLessThan(100);
  await client.exit();
});

test("the last content sent to agents is shown verbatim", async () => {
  const { editor, client, selected } = await open("one\ntwo\n");
  editor.selectLine();
  await selected("one");
  editor.showSent();
  await editor.shows(/to Claude Code[\s\S]*"method":"selection_changed"[\s\S]*"text":"one"/);
  await client.exit();
  expect(client.violations).toEqual([]);
});
