import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { openCommentsFolder } from "../../../../tests/src/comments-folder.ts";

/** A folder with a comment on its file, in a repository without a commit. */
async function openRepository() {
  const folder = openCommentsFolder("one();\ntwo();\n");
  const who = ["-c", "user.name=ann", "-c", "user.email=ann@example.org"];
  const git = (...words: readonly string[]) =>
    execFileSync("git", [...who, ...words], { cwd: folder.folder, stdio: "pipe" });
  git("init", "--initial-branch=main");
  await folder.run(["add", "a.js:2", "Why two?"]);
  const commit = () => {
    git("add", "--all");
    git("commit", "--message", "a commit");
  };
  return { ...folder, git, commit };
}

test("before the first commit of a repository nothing can have changed since HEAD", async () => {
  const { run, git } = await openRepository();
  expect(await run(["check", "--since", "HEAD"])).toMatchObject({ code: 0, text: "" });
  git("add", "--all");
  expect(await run(["check", "--since", "@"])).toMatchObject({ code: 0, text: "" });
  const { code, text } = await run(["check", "--since", "HEAD~1"]);
  expect([code, text]).toEqual([1, expect.stringContaining("--since HEAD~1: expected a commit")]);
});

test("a commit that repairs a damaged comments file passes, and the repair is reported", async () => {
  const { run, write, read, commit } = await openRepository();
  const whole = read("a.js.comments");
  write("a.js.comments", "{broken");
  write("b.js", "call(3);\n");
  await run(["add", "b.js:1", "Why three?"]);
  commit();
  write("a.js.comments", whole);
  write("a.js", "one();\ntwo();\nthree();\n");
  write("b.js", "call(4);\n");
  const { code, errors, output } = await run(["check", "--since", "HEAD"]);
  expect(errors).toMatch(/a\.js\.comments as of HEAD cannot be read: not compared/);
  expect([code, output]).toEqual([1, expect.stringContaining("b.js:1 ")]);
  expect(output).not.toContain("a.js");
  write("b.js", "call(3);\n");
  expect((await run(["check", "--since", "HEAD"])).code).toBe(0);
});

test("a report starts with the comment that it concerns", async () => {
  const { run, write, read } = openCommentsFolder("call(1);\n");
  await run(["add", "a.js:1", "Why one?"]);
  write("a.js", "other();\n");
  await run(["check", "--sarif", "report.sarif"]);
  const [result] = JSON.parse(read("report.sarif")).runs[0].results;
  expect(result.message.text).toMatch(/^c_\d+: Why one\? \(.*\)$/);
});

test("a source that git has renamed keeps its comments, however small it is", async () => {
  const { run, write, git, commit } = await openRepository();
  commit();
  git("mv", "a.js", "b.js");
  expect((await run(["show", "b.js"])).output).toMatch(/^b\.js:2 NOTE .* Why two\?/);
  write("c.js", "three();\nfour();\n");
  commit();
  write("b.js", "// new\none();\ntwo();\n");
  expect((await run(["show", "b.js"])).output).toMatch(/^b\.js:3 NOTE \[moved\] .*/);
  expect((await run(["show", "c.js"])).output).toBe("");
});
