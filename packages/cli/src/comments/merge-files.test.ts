import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { openCommentsFolder } from "../../../../tests/src/comments-folder.ts";

const functions = Array.from({ length: 8 }, (_, n) => `function f${n}() {\n  run(${n});\n}\n`);
const source = functions.join("\n");
const inserted = "function added() {\n  start();\n}\n\n";

/** A repository with comments on two branches, which git has merged as far as it can. */
async function openConflict() {
  const opened = openCommentsFolder(source);
  const { folder, run, write } = opened;
  const git = (...words: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=ann", "-c", "user.email=a@b", ...words], {
      cwd: folder,
      stdio: "pipe",
    });
  const commit = () => {
    git("add", "--all");
    git("commit", "--quiet", "--message", "comments");
  };
  const add = async (text: string, line: number) =>
    /c_\d+/.exec((await run(["add", `a.js:${line}`, text])).text)?.[0] ?? "";
  git("init", "--quiet", "--initial-branch=main");
  await add("on f1", 6);
  const deleted = await add("on f3", 14);
  const moved = await add("on f4", 18);
  await add("on f6", 26);
  commit();
  git("checkout", "--quiet", "-b", "topic");
  write("a.js", source.replace("run(7);", "run(7, 7);"));
  await run(["delete", "a.js", deleted]);
  await run(["move", "a.js", moved, "a.js:10"]);
  await add("on f7", 30);
  commit();
  git("checkout", "--quiet", "main");
  write("a.js", inserted + source);
  await add("on added", 2);
  commit();
  expect(() => git("merge", "topic")).toThrow();
  const shown = async () => {
    const lines = opened.read("a.js").split("\n");
    const { text } = await run(["show", "a.js", "--json"]);
    const all = text.trim().split("\n");
    return all.map((each) => {
      const { text, line, status } = JSON.parse(each);
      return `${text}: ${lines[line - 1]?.trim()} ${status}`;
    });
  };
  return { ...opened, git, shown };
}

test("merge takes the sides of a conflict from git, however git interleaved their lines", async () => {
  const { run, shown } = await openConflict();
  expect(await run(["merge", "a.js"])).toMatchObject({ code: 0 });
  expect(await shown()).toEqual([
    "on added: start(); exact",
    "on f1: run(1); exact",
    "on f4: run(2); moved",
    "on f6: run(6); exact",
    "on f7: run(7, 7); moved",
  ]);
});

test("if git no longer has the sides, merge takes them from the file and asks for a check", async () => {
  const { run, shown, git } = await openConflict();
  git("update-index", "--force-remove", "a.js.comments");
  expect(await run(["merge", "a.js"])).toMatchObject({
    code: 0,
    errors: expect.stringContaining("Check all comments of a.js"),
  });
  expect(await shown()).toEqual(
    expect.arrayContaining([
      "on added: start(); exact",
      "on f1: run(1); exact",
      "on f6: run(6); exact",
      expect.stringMatching(/^on f7: (run\(7, 7\); moved|.* orphaned)$/),
    ]),
  );
});
