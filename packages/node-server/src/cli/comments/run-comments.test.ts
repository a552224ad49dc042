import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../../tests/src/temporary-folder.ts";
import { main } from "../main.ts";

const source = "export function one() {\n  return 1;\n}\n";

/** A folder, and the command in it; `keys` is what is typed. */
function openFolder() {
  const folder = temporaryFolder("comments-");
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write("a.js", source);
  const run = async (words: readonly string[], keys = "") => {
    const stdin = new PassThrough();
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    let text = "";
    for (const output of [stdout, stderr]) output.on("data", (chunk) => (text += String(chunk)));
    stdin.end(keys);
    const env = { HOME: folder, USER: "ann" };
    const io = { stdin, stdout, stderr, env, cwd: folder, onSignal: () => () => {} };
    const code = await main(["comments", ...words], { ...io, exit: () => {} });
    return { code, text };
  };
  return { write, run, read: (name: string) => readFileSync(join(folder, name), "utf8") };
}

test("what was typed in vain is told, and nothing of it is kept", async () => {
  const { run, write, read } = openFolder();
  const added = await run(["add", "a.js:2", "Hello", "world"]);
  expect(added).toMatchObject({ code: 1, text: expect.stringContaining("world: put quotes") });
  expect((await run(["list"])).text).toBe("");
  await run(["add", "a.js:2", "Hello world"]);
  const id = /c_\d+/.exec(read("a.js.comments"))?.[0] ?? "";
  await run(["edit", "a.js", id, "Hello world", "--tag", "fixme"]);
  expect((await run(["show", "a.js"])).text).toBe(`a.js:2 FIXME ${id} ann: Hello world\n`);
  const wrongTag = await run(["search", "hello", "--tag", "DOO"]);
  expect(wrongTag).toMatchObject({ code: 1, text: expect.stringContaining("--tag DOO: expected") });
  const unknown = await run(["delete", "a.js", "c_1"]);
  expect(unknown.text).toContain("idewire comments show <file> lists the ids");
  write("b.js.comments", "{");
  const searched = await run(["search", "nowhere"]);
  expect(searched.code).toBe(1);
  expect(searched.text).toMatch(/No comment matches\.\n.*b\.js.*line: 1, column: 2/);
});

test("a person answers, resolves and reopens a comment, and sees it as it is", async () => {
  const { run, read } = openFolder();
  await run(["add", "a.js:1", "Why?", "--tag", "QUESTION"]);
  const { id } = JSON.parse(read("a.js.comments")).comments[0];
  expect(await run(["reply", "a.js", id, "Because", "--author", "bob"])).toMatchObject({ code: 0 });
  await run(["reply", "a.js", id, "I see"]);
  await run(["resolve", "a.js", id]);
  expect((await run(["show", "a.js"])).text).toBe(
    `a.js:1 QUESTION [resolved] ${id} ann: Why?\n    bob: Because\n    ann: I see\n`,
  );
  const json = JSON.parse((await run(["show", "a.js", "--json"])).text);
  const replies = [
    { text: "Because", author: "bob" },
    { text: "I see", author: "ann" },
  ];
  expect(json).toMatchObject({ state: "resolved", status: "exact", replies });
  expect(await run(["reopen", "a.js", id])).toEqual({ code: 0, text: `${id} open\n` });
  expect((await run(["show", "a.js"])).text).toContain(`QUESTION ${id} ann: Why?`);
  const unknown = await run(["reply", "a.js", "c_1", "Because"]);
  expect(unknown).toMatchObject({ code: 1, text: expect.stringContaining("Comment not found") });
});

test("only characters are answers to fix: Delete, Home and the arrows have digits and letters in them", async () => {
  const { run, write, read } = openFolder();
  await run(["add", "a.js:2", "Why one?"]);
  write("a.js", "other();\n");
  write("b.js", source);
  const before = read("a.js.comments");
  expect((await run(["show", "a.js"])).text).toContain("[orphaned]");
  const pressed = await run(["fix"], "\u001b[1~\u001b[3~\u001b[D\u001bOFs");
  expect(pressed).toMatchObject({ code: 1, text: expect.stringContaining("perhaps b.js:2") });
  expect(read("a.js.comments")).toBe(before);
  expect((await run(["fix"], "1")).text).toMatch(/Moved: c_\d+ to b\.js:2/);
});
