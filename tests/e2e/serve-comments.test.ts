import { CommentStore, createSourceReader } from "@idewire/paired-comments";
import { createFolderWorkspace, readGrammarFile } from "@idewire/paired-comments/node";
import { expect, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture, startClaude } from "../src/reference-clients/context.ts";

const source = `function pay(amount) {
  check(amount);
  return send(amount);
}

function refund(amount) {
  return sendBack(amount);
}
`;

/** A served folder with comments, and a reference client of Claude Code that writes without asking. */
async function open(args: readonly string[] = ["--comments"]) {
  const fixture = openFixture();
  const file = fixture.file("pay.js", source);
  const lock = async () => async () => {};
  const workspace = createFolderWorkspace({ folder: fixture.workspace, lock });
  const store = new CommentStore({ workspace, reader: createSourceReader(readGrammarFile) });
  const add = async (line: number, text: string) => {
    const tag = text.startsWith("TODO") ? "TODO" : "NOTE";
    const wanted = { filePath: "pay.js", line, text, tag, author: "ann" } as const;
    return (await store.add(wanted)).comment.id;
  };
  const run = new CliRun(fixture, { args: ["serve", "--script", ...args] });
  await expect.poll(() => run.output).toContain("listening");
  const client = async () => {
    const claude = await startClaude(fixture, { permissionMode: "acceptEdits" });
    await claude.untilReady();
    /** What the model receives after it has written a text. */
    const edit = async (text: string) => (await claude.edit(file, text).result).newDiagnostics;
    return { claude, edit };
  };
  const select = (line: number) => {
    const range = { start: { line, character: 0 }, end: { line, character: 5 } };
    run.stdin.write(`${JSON.stringify({ do: "select", path: "pay.js", range })}\n`);
  };
  return { fixture, file, store, add, client, select };
}

test("the model reads the open comments of a file that it edits, once in a session", async () => {
  const { add, client, store } = await open();
  const id = await add(2, "TODO: check the currency");
  await add(3, "NOTE: no question");
  const done = await add(7, "TODO: done already");
  await store.edit("pay.js", done, { status: "resolved" });
  const { edit } = await client();
  const first = await edit(`// pays\n${source}`);
  expect(first).toContain(`[Line 3:1] TODO: check the currency [${id}] (comments)`);
  expect(first).not.toContain("no question");
  expect(first).not.toContain("done already");
  expect(await edit(`// pays\n// twice\n${source}`)).toBeUndefined();
  const other = await client();
  expect(await other.edit(`// pays\n${source}`)).toContain("check the currency");
});

test("an edit that removes a comment's code is reported in the next answer, with the remedy", async () => {
  const { add, client } = await open();
  const id = await add(7, "NOTE: back to the card");
  const { edit } = await client();
  const report = await edit(source.slice(0, source.indexOf("function refund")));
  expect(report).toContain(
    `Your edit removed the code of ${id}, "NOTE: back to the card": move_comment`,
  );
  expect(report).toContain("delete_comment");
  expect(
    await edit(`${source.slice(0, source.indexOf("function refund"))}// end\n`),
  ).toBeUndefined();
});

test("code moved to another file is named there, but never in a file that is not shared", async () => {
  const { add, client, fixture } = await open();
  const at = source.indexOf("function refund");
  await add(7, "NOTE: back to the card");
  for (const name of [".env.js", "refund.js"]) fixture.file(name, source.slice(at));
  const { edit } = await client();
  const report = await edit(source.slice(0, at));
  expect(report).toContain("move_comment, perhaps to refund.js:2");
  expect(report).not.toContain(".env");
});

test("an edit that moves a comment's code is reported", async () => {
  const { add, client } = await open();
  const id = await add(7, "NOTE: back to the card");
  const { edit } = await client();
  const at = source.indexOf("function refund");
  const report = await edit(`${source.slice(at)}\n${source.slice(0, at)}`);
  expect(report).toContain(`Your edit moved the code of ${id}`);
  expect(report).toContain("from line 7");
});

test("without the flag, and for excluded files, no comments are sent", async () => {
  const { add, client } = await open([]);
  await add(2, "TODO: check the currency");
  expect(await (await client()).edit(`// pays\n${source}`)).toBeUndefined();
  const off = await open(["--comments", "--share", "path"]);
  await off.add(2, "TODO: check the currency");
  expect(await (await off.client()).edit(`// pays\n${source}`)).toBeUndefined();
});

test("a damaged comments file does not block the agent's diagnostics", async () => {
  const { client, fixture } = await open();
  fixture.file("pay.js.comments", "<<<<<<< HEAD\n");
  const path = fixture.file("broken.json", "{}");
  const { claude, edit } = await client();
  expect(await edit(`// pays\n${source}`)).toBeUndefined();
  expect((await claude.edit(path, "{").result).newDiagnostics).toContain("broken.json");
});

test("at the level all the model reads the comments on the lines that the person selects", async () => {
  const all = await open(["--comments", "--share", "all"]);
  const id = await all.add(2, "TODO: check the currency");
  const { claude } = await all.client();
  all.select(1);
  await expect
    .poll(async () => JSON.stringify(await claude.prompt("why?")))
    .toContain(`line 2, TODO by ann (${id}): TODO: check the currency]`);
  all.select(2);
  await expect.poll(async () => (await claude.prompt("why?")).context).toMatch(/lines 3 to 3/);
});

test("below it, comments on selected lines are sent to no agent", async () => {
  const { add, client, select } = await open(["--comments", "--share", "selection"]);
  await add(2, "TODO: check the currency");
  const { claude } = await client();
  select(1);
  await expect.poll(() => claude.badge).toBe("⧉ 1 line selected");
  expect(JSON.stringify(await claude.prompt("why?"))).not.toContain("currency");
});
