import { join } from "node:path";
import { expect, test } from "vitest";
import {
  openWorkspace,
  startClient,
  write,
} from "../../../tests/src/reference-clients/serve-context.ts";
import { Emacs, type EmacsOptions, quote } from "./emacs.ts";

async function open(text: string, options: EmacsOptions = {}, file = "a.txt") {
  const workspace = openWorkspace();
  const path = write(workspace, file, text);
  const emacs = new Emacs(workspace, { args: [file], ...options });
  await emacs.untilListening();
  const client = await startClient(workspace);
  await client.untilReady();
  const selected = (wanted: string) =>
    client.until(`the selection ${wanted}`, () => client.inbox.context?.text === wanted);
  return { workspace, path, emacs, client, selected };
}

const ranges =
  '(json-serialize (plist-get (with-current-buffer "a.txt" (idewire--selection)) :ranges))';
const rangesOf = (emacs: Emacs) => JSON.parse(JSON.parse(emacs.lisp(ranges))) as unknown;

test("characters are selected in UTF-16 units, whatever they are and in whatever direction", async () => {
  const { emacs, client, selected } = await open("a 🚀 ü b\nnext\n");
  emacs.keys("C-f", "C-f", "C-Space", "C-f", "C-f");
  await selected("🚀 ");
  expect(rangesOf(emacs)).toMatchObject([
    { start: { line: 0, character: 2 }, end: { line: 0, character: 5 } },
  ]);
  emacs.keys("C-e", "C-Space", "C-b", "C-b", "C-b");
  await selected("ü b");
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("a selection that is left stands until the cursor moves", async () => {
  const { emacs, client, selected } = await open("one\ntwo\n");
  emacs.keys("C-Space", "C-f", "C-f", "M-w");
  await selected("on");
  emacs.keys("C-n");
  await client.until("the cursor alone", () => client.badge === "⧉ In a.txt");
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("a rectangle is several ranges", async () => {
  const { emacs, client } = await open("xabc\nü1234\nshort\n");
  emacs.keys("C-f", "C-x", "Space", "C-n", "C-f", "C-f");
  await emacs.until(
    '(length (plist-get (with-current-buffer "a.txt" (idewire--selection)) :ranges))',
    "2",
  );
  expect(rangesOf(emacs)).toMatchObject([
    { start: { line: 0, character: 1 }, end: { line: 0, character: 3 }, text: "ab" },
    { start: { line: 1, character: 1 }, end: { line: 1, character: 3 }, text: "12" },
  ]);
  await client.exit();
});

test("under narrowing lines count from the start of the file", async () => {
  const { emacs, client, selected } = await open("one\ntwo\nthree\n");
  emacs.lisp('(with-current-buffer "a.txt" (narrow-to-region 5 9))');
  emacs.keys("M-<", "C-Space", "C-e");
  await selected("two");
  expect(rangesOf(emacs)).toMatchObject([{ start: { line: 1, character: 0 } }]);
  await client.exit();
});

test("three thousand cursor moves send at most twenty states a second", async () => {
  const { emacs, client } = await open("word ".repeat(4000), {
    lisp: `(defvar count 0)
      (advice-add 'idewire--send :before (lambda (message)
        (when (equal (plist-get message :method) "host/state") (setq count (1+ count)))))`,
  });
  const before = Number(emacs.lisp("count"));
  const started = performance.now();
  for (let round = 0; round < 30; round += 1) emacs.keys("-N", "100", "C-f");
  await emacs.until('(with-current-buffer "a.txt" (point))', "3001");
  const seconds = (performance.now() - started) / 1000;
  expect(Number(emacs.lisp("count")) - before).toBeLessThanOrEqual(Math.ceil(seconds * 20) + 1);
  await client.exit();
});

test("names with spaces, quotes, newlines and patterns are files like any other", async () => {
  const workspace = openWorkspace();
  const name = "a %#$*[x] 'q\" \\ \n b.txt";
  write(workspace, name, "inside\n");
  write(workspace, "a.txt", "first\n");
  const emacs = new Emacs(workspace, { args: ["a.txt"] });
  await emacs.untilListening();
  const client = await startClient(workspace);
  await client.untilReady();
  const shown = await client.callAsModel("openFile", { filePath: join(workspace.folder, name) });
  expect(shown).toBeDefined();
  await emacs.shows("inside");
  emacs.keys("M-<", "C-Space", "C-e");
  await client.until("the selection", () => client.inbox.context?.text === "inside");
  const edit = client.edit(join(workspace.folder, name), "other\n");
  await emacs.shows("proposal by Claude Code");
  emacs.keys("C-c", "C-c");
  expect(await edit.result).toMatchObject({ by: "ide", written: "other\n" });
  await emacs.shows("other");
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("lines and files are sent to the agent by command", async () => {
  const { emacs, client } = await open("one\ntwo\nthree\nfour\n");
  emacs.keys("C-n", "C-Space", "C-n", "C-n");
  emacs.command("idewire-send");
  await client.until("the mention", () => client.promptInput.includes("a.txt#L2-3"));
  await emacs.shows("idewire: sent a.txt 2-3 to Claude Code");
  await client.exit();
  await emacs.until("(length (plist-get (idewire-status) :agents))", "0");
  emacs.command("idewire-send");
  await emacs.shows("idewire: no agent is connected");
  expect(client.violations).toEqual([]);
});

test("the share level is changed by command, and withdraws what was shared", async () => {
  const { emacs, client, selected } = await open("one\ntwo\n");
  emacs.keys("C-Space", "C-e");
  await selected("one");
  emacs.command("idewire-share");
  emacs.type("off");
  emacs.keys("Enter");
  await client.until("nothing", () => client.badge === undefined);
  await emacs.shows("idewire: agents may know: off");
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("a selection follows its text when lines are inserted above it, also while the focus is elsewhere", async () => {
  const { emacs, client, selected } = await open("one\ntwo\nthree\n");
  const start = () => client.inbox.context?.startLine ?? 0;
  emacs.keys("C-n", "C-Space", "C-e", "M-w");
  await selected("two");
  const first = start();
  emacs.keys("C-x", "b");
  emacs.type("*scratch*");
  emacs.keys("Enter");
  emacs.lisp(
    `(with-current-buffer "a.txt" (save-excursion (goto-char (point-min)) (insert ${quote("zero\n")})))`,
  );
  await client.until("the selection below", () => start() === first + 1);
  expect(client.inbox.context?.text).toBe("two");
  await client.exit();
});

test("positions beyond a line or the file lead to their ends", async () => {
  const { emacs, client, path } = await open("one\ntwo\n");
  const range = "(:start (:line 0 :character 99) :end (:line 99 :character 9))";
  emacs.lisp(`(idewire--answer "host/select" (list :path ${quote(path)} :range '${range}))`);
  await emacs.until('(with-current-buffer "a.txt" (list (mark t) (point)))', "(4 9)");
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("five megabytes are selected without a stall", async () => {
  const { emacs, client } = await open(`${"x".repeat(99)}\n`.repeat(50_000));
  emacs.keys("C-Space", "M->");
  await client.until("the selection", () => (client.inbox.context?.text?.length ?? 0) > 90_000);
  const ms = "(truncate (* 1000 (car (benchmark-run 1 (idewire--read-state)))))";
  expect(Number(emacs.lisp(ms))).toBeLessThan(100);
  await client.exit();
});

test("what agents were sent is shown to the letter", async () => {
  const { emacs, client, selected } = await open("one\ntwo\n");
  emacs.keys("C-Space", "C-e");
  await selected("one");
  emacs.command("idewire-sent");
  await emacs.shows(/to Claude Code[\s\S]*"method":"selection_changed"[\s\S]*"text":"one"/);
  await client.exit();
  expect(client.violations).toEqual([]);
});
