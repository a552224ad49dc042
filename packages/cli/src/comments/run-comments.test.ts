import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { openCommentsFolder } from "../../../../tests/src/comments-folder.ts";
import { type CommentAction, commentActions } from "./comment-flags.ts";

const source = "export function one() {\n  return 1;\n}\n";

const openFolder = () => openCommentsFolder(source);

test("invalid input is reported, and nothing of it is stored", async () => {
  const { run, write, read } = openFolder();
  const added = await run(["add", "a.js:2", "Hello", "world"]);
  expect(added).toMatchObject({
    code: 2,
    text: expect.stringContaining("Put quotes around a text of several words."),
  });
  expect((await run(["list"])).text).toBe("");
  await run(["add", "a.js:2", "Hello world"]);
  const id = /c_\d+/.exec(read("a.js.comments"))?.[0] ?? "";
  await run(["edit", "a.js", id, "Hello world", "--tag", "fixme"]);
  expect((await run(["show", "a.js"])).text).toBe(`a.js:2 FIXME ${id} ann: Hello world\n`);
  const wrongTag = await run(["search", "hello", "--tag", "DOO"]);
  expect(wrongTag).toMatchObject({ code: 2, text: expect.stringContaining("--tag DOO: expected") });
  const unknown = await run(["delete", "a.js", "c_1"]);
  expect(unknown.text).toContain("idewire comments show <file> lists the ids");
  write("b.js.comments", "{");
  const searched = await run(["search", "nowhere"]);
  expect(searched.code).toBe(1);
  expect(searched.text).toMatch(/No comment matches\.\n.*b\.js.*line: 1, column: 2/);
});

const usages: Readonly<Record<CommentAction, string>> = {
  serve: "[folder]",
  list: "",
  show: "<file>",
  add: "<file:line> <text>",
  edit: "<file> <id> <text>",
  reply: "<file> <id> <text>",
  resolve: "<file> <id>",
  reopen: "<file> <id>",
  move: "<file> <id> <file:line>",
  delete: "<file> <id>",
  search: "<words>",
  check: "",
  fix: "[file...]",
  export: "<format> [file]",
  import: "<file>",
  migrate: "[file...]",
  merge: "<file...>",
};

describe.each(commentActions)("an invalid command line of %s exits with code 2", (action) => {
  const usage = `Usage: idewire comments ${`${action} [options] ${usages[action]}`.trim()}\n`;
  const least = usages[action].split(" ").filter((word) => word.startsWith("<"));
  const enough = ["a.js:1", "c_1", "a.js:1"].slice(0, least.length);

  test("for an unknown option", async () => {
    const { run } = openFolder();
    const { code, text } = await run([action, ...enough, "--bogus"]);
    expect([code, text]).toEqual([2, expect.stringContaining("unknown option '--bogus'")]);
    expect(text).toContain(`Try idewire comments ${action} --help`);
  });

  test("for an option of another action", async () => {
    const { run } = openFolder();
    const option = action === "check" ? ["--end", "7"] : ["--since", "main"];
    const { code, text } = await run([action, ...enough, ...option]);
    const words = `unknown option '${option[0]}'`;
    expect([code, text]).toEqual([2, expect.stringContaining(words)]);
    expect(text).toContain(usage);
  });

  if (least.length > 0) {
    test("for a missing word, which is named", async () => {
      const { run } = openFolder();
      const { code, text } = await run([action, ...enough.slice(1)]);
      expect([code, text]).toEqual([2, expect.stringContaining("missing required argument")]);
      expect(text).toContain(usage);
    });
  }

  if (!/\.\.\.[\]>]$/.test(usages[action])) {
    test("for an extra word", async () => {
      const { run } = openFolder();
      const words = ["a", "b", "c", "d", "e"];
      const { code, text } = await run([action, ...words]);
      const hint = "Put quotes around a text of several words.";
      expect([code, text]).toEqual([2, expect.stringContaining("too many arguments")]);
      expect(text.includes(hint)).toBe(/<(?:text|words)>$/.test(usages[action]));
      expect(text).toContain(usage);
    });
  }
});

test.each([
  [["merge", "a", "b"], "expected a source file, or git's %O %A %B and %P; got 2 words"],
  [["add", "a.js", "why"], "a.js: expected <file>:<line>"],
  [["add", "a.js:x", "why"], "x: expected a line number"],
  [["add", "a.js:1e1", "why"], "1e1: expected a line number"],
  [["add", "a.js:0x2", "why"], "0x2: expected a line number"],
  [["add", "a.js: 3", "why"], " 3: expected a line number"],
  [["add", "a.js:0", "why"], "0: expected a line number"],
  [["add", "a.js:1", "why", "--end", "2.0"], "2.0: expected a line number"],
  [["search", "tag:TODO", "--tag", "NOTE"], "--tag and tag: mean the same; give only one of them"],
  [["search", "author:ann", "--author", "bob"], "--author and author: mean the same"],
  [["export", "yaml"], "yaml: expected one of json"],
  [["export", "json", "--context", "1e1"], "--context 1e1: expected a number"],
  [["export", "json", "--context", "99"], "--context 99: expected a number from 0 to 20"],
])(
  "an invalid value in %j exits with code 2 and lists the valid values",
  async (words, expected) => {
    const { run } = openFolder();
    const { code, text } = await run(words);
    expect([code, text]).toEqual([2, expect.stringContaining(expected)]);
    expect(text).toContain(`Usage: idewire comments ${words[0]} `);
  },
);

test("a person answers, resolves and reopens a comment, and sees its current state", async () => {
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
  expect(await run(["reopen", "a.js", id])).toMatchObject({
    code: 0,
    text: `${id} of a.js is open\n`,
  });
  expect((await run(["show", "a.js"])).text).toContain(`QUESTION ${id} ann: Why?`);
  const unknown = await run(["reply", "a.js", "c_1", "Because"]);
  expect(unknown).toMatchObject({ code: 1, text: expect.stringContaining("Comment not found") });
});

test("a person is git's user.name in that folder, or their account without one", async () => {
  const { run, folder, read } = openFolder();
  await run(["add", "a.js:1", "Why?"]);
  const { id } = JSON.parse(read("a.js.comments")).comments[0];
  execFileSync("git", ["init", "--quiet", folder]);
  const name = (to: string) => execFileSync("git", ["-C", folder, "config", "user.name", to]);
  name("Ann\nLee");
  await run(["reply", "a.js", id, "Because"]);
  await run(["reply", "a.js", id, "I see", "--author", "bob"]);
  name("");
  await run(["reply", "a.js", id, "So"]);
  name("x".repeat(500));
  await run(["add", "a.js:3", "End"]);
  const [first, second] = JSON.parse(read("a.js.comments")).comments;
  expect([first.author, second.author]).toEqual(["ann", "x".repeat(100)]);
  const replies = first.replies.map(({ author }: { readonly author: string }) => author);
  expect(replies).toEqual(["Ann Lee", "bob", "ann"]);
});

test("the report of a change names the whole id of a comment, even if it was abbreviated", async () => {
  const { run, read } = openFolder();
  await run(["add", "a.js:1", "Why?"]);
  const { id } = JSON.parse(read("a.js.comments")).comments[0];
  const short = id.slice(0, 6);
  expect((await run(["reply", "a.js", short, "So"])).output).toBe(`Replied to ${id} of a.js\n`);
  await run(["add", "a.js:2", "What?"]);
  const { code, errors } = await run(["delete", "a.js", short]);
  expect([code, errors]).toEqual([1, expect.stringContaining("have IDs that begin so")]);
  expect(errors).toContain(id);
  const [, other] = JSON.parse(read("a.js.comments")).comments;
  await run(["delete", "a.js", other.id]);
  expect((await run(["delete", "a.js", short])).output).toBe(`Deleted ${id} of a.js\n`);
});

test("fix accepts only characters as answers: Delete, Home and arrow sequences contain digits and letters", async () => {
  const { run, write, read } = openFolder();
  await run(["add", "a.js:2", "Why one?"]);
  write("a.js", "other();\n");
  write("b.js", source);
  const before = read("a.js.comments");
  expect((await run(["show", "a.js"])).text).toContain("[orphaned]");
  const pressed = await run(["fix"], { keys: "\u001b[1~\u001b[3~\u001b[D\u001bOFs" });
  expect(pressed).toMatchObject({ code: 1, text: expect.stringContaining("perhaps b.js:2") });
  expect(read("a.js.comments")).toBe(before);
  const moved = await run(["fix"], { keys: "1" });
  expect(moved.text).toContain("    1 perhaps b.js:2");
  expect(moved.text).toMatch(/Moved: c_\d+ to b\.js:2/);
});

test("Ctrl-C ends fix with 130 and preserves finished work", async () => {
  const { run, write } = openFolder();
  await run(["add", "a.js:2", "Why one?"]);
  await run(["add", "a.js:1", "Which one?"]);
  write("a.js", "other();\n");
  expect(await run(["fix"], { keys: "d\u0003d" })).toMatchObject({ code: 130 });
  expect((await run(["list"])).text).toMatch(
    /^a\.js: 1, orphaned 1\n {2}\d NOTE c_\d+ W.* one\?\n$/,
  );
  expect(await run(["fix"], { keys: "\u0004" })).toMatchObject({ code: 1 });
});

test.each(["list", "fix", "check", "migrate", "export"])(
  "%s names a damaged comments file, and exits with 1",
  async (action) => {
    const { run, write } = openFolder();
    write("b.js.comments", "{broken");
    const { code, errors } = await run(action === "export" ? [action, "json"] : [action]);
    expect([code, errors]).toEqual([1, expect.stringContaining('"b.js", parseError')]);
  },
);

test.each([
  [["export", "json", "--output", "none/out.json"], "Cannot write", "out.json (ENOENT)"],
  [["merge", "none", "a.js", "a.js"], "Cannot read", "none (ENOENT)"],
])("a file that %j cannot read is named with the reason", async (words, what, file) => {
  const { code, text } = await openFolder().run(words);
  expect([code, text]).toEqual([1, expect.stringContaining(what)]);
  expect(text).toContain(file);
});

test("a comments file of a newer version is not reported as damaged, and is left unchanged", async () => {
  const { run, write, read } = openFolder();
  const newer = JSON.stringify({
    version: "3.9.9",
    filePath: "a.js",
    comments: [],
    ghostMarkers: [],
  });
  write("a.js.comments", newer);
  for (const words of [
    ["show", "a.js"],
    ["add", "a.js:1", "Why?"],
    ["migrate", "a.js"],
  ]) {
    const { code, errors } = await run(words);
    expect([code, errors]).toEqual([1, expect.stringContaining("written by a newer version")]);
    expect(errors).not.toContain("corrupted");
  }
  expect(read("a.js.comments")).toBe(newer);
});

test("each change prints a message, and a value for programs", async () => {
  const { run, read } = openFolder();
  const did = async (...words: readonly string[]) => (await run(words)).output;
  await run(["add", "a.js:1", "Why?"]);
  const { id } = JSON.parse(read("a.js.comments")).comments[0];
  expect(await did("edit", "a.js", id, "Why so?")).toBe(`Edited ${id} of a.js\n`);
  expect(await did("reply", "a.js", id, "So")).toBe(`Replied to ${id} of a.js\n`);
  expect(await did("resolve", "a.js", id)).toBe(`${id} of a.js is resolved\n`);
  expect(await did("move", "a.js", id, "a.js:2")).toBe(`Moved ${id} to a.js:2\n`);
  await run(["export", "json", "--output", "all.json"]);
  expect(await did("import", "all.json")).toBe("Imported 1 comment on a.js\n");
  const deleted = JSON.parse(await did("delete", "a.js", id, "--json"));
  expect(deleted).toEqual({ id, deleted: "a.js" });
});

test("words that start with a dash follow two dashes", async () => {
  const { run } = openFolder();
  expect(await run(["add", "--tag", "TODO", "--", "a.js:1", "- [ ] do it"])).toMatchObject({
    code: 0,
  });
  expect((await run(["search", "--", "-is:resolved"])).text).toContain("- [ ] do it");
});

test("an invalid pattern is shown as typed", async () => {
  const { run } = openFolder();
  const { code, text } = await run(["search", "(((("]);
  expect([code, text]).toEqual([
    1,
    expect.stringContaining("query: missing closing ): ((((; patterns"),
  ]);
});

test("merge reports the absence of a conflict, not a damaged file", async () => {
  const { run } = openFolder();
  await run(["add", "a.js:1", "Why?"]);
  const { code, text } = await run(["merge", "a.js"]);
  expect([code, text]).toEqual([1, expect.stringContaining("has no conflict to merge")]);
  expect(text).not.toContain("corrupted");
});

test.each([
  ["a token that is too short", [], "short", "IDEWIRE_COMMENTS_TOKEN: expected 16 bytes or more"],
  ["a port in other digits", ["0x10"], "", "--http 0x10: expected a port from 0 to 65535"],
])("serve names %s", async (_, words, token, expected) => {
  const { run } = openFolder();
  const env = { IDEWIRE_COMMENTS_TOKEN: token };
  const { code, errors } = await run(["serve", ".", "--http", ...words], { env });
  expect([code, errors]).toEqual([1, expect.stringContaining(expected)]);
  expect(errors).not.toContain("short");
});
