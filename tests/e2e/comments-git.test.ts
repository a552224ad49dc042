import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../src/temporary-folder.ts";

const bin = fileURLToPath(new URL("../../packages/cli/bin/idewire.js", import.meta.url));
const source = `function pay(amount) {
  check(amount);
  return send(amount);
}

function refund(amount) {
  check(-amount);
  return send(-amount);
}
`;

interface Repository {
  readonly folder: string;
  git(...words: readonly string[]): string;
  /** Runs the command; `input` is the keys to type. */
  run(
    words: readonly string[],
    input?: string,
  ): { readonly code: number | null; readonly text: string };
  write(name: string, text: string): void;
  read(name: string): string;
}

function makeRepository(): Repository {
  const folder = temporaryFolder("comments-git-");
  const who = { NAME: "ann", EMAIL: "ann@example.org" };
  const env = Object.fromEntries(
    Object.entries(who).flatMap(([key, value]) => [
      [`GIT_AUTHOR_${key}`, value],
      [`GIT_COMMITTER_${key}`, value],
    ]),
  );
  const options = {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, ...env, USER: "ann" },
  } as const;
  const repository: Repository = {
    folder,
    git: (...words) => execFileSync("git", words, { ...options, stdio: "pipe" }),
    run(words, input) {
      const done = spawnSync(process.execPath, [bin, "comments", ...words], {
        ...options,
        ...(input === undefined ? {} : { input }),
      });
      return { code: done.status, text: done.stdout + done.stderr };
    },
    write: (name, text) => writeFileSync(join(folder, name), text),
    read: (name) => readFileSync(join(folder, name), "utf8"),
  };
  repository.git("init", "--initial-branch=main");
  repository.write("pay.js", source);
  return repository;
}

function commit({ git }: Repository, message: string): void {
  git("add", "--all");
  git("commit", "--message", message);
}

function idIn(text: string): string {
  return /c_\d+/.exec(text)?.[0] ?? "";
}

/** Makes two branches that both add comments and change the code. */
function makeBranches(repository: Repository): void {
  const { git, run, write } = repository;
  run(["add", "pay.js:2", "TODO: limit"]);
  commit(repository, "first");
  git("checkout", "-b", "topic");
  write("pay.js", source.replace("send(-amount)", "sendBack(amount)"));
  run(["add", "pay.js:8", "NOTE: back"]);
  commit(repository, "topic");
  git("checkout", "main");
  write("pay.js", `// money\n${source}`);
  run(["add", "pay.js:4", "QUESTION: where?"]);
  commit(repository, "main");
}

const merged = ["pay.js:3 TODO limit", "pay.js:4 QUESTION where?", "pay.js:9 NOTE back"];

function shown({ run }: Repository): readonly string[] {
  const lines = run(["show", "pay.js"]).text.trim().split("\n");
  return lines.map((each) => each.replace(/ (\[\w+\] )?c_\d+ ann: \w+:/, ""));
}

test("git merges comments of two branches by the driver, each on its code", () => {
  const repository = makeRepository();
  const { git, write } = repository;
  git(
    "config",
    "merge.comments.driver",
    `"${process.execPath}" "${bin}" comments merge %O %A %B %P`,
  );
  write(".gitattributes", "*.comments merge=comments\n");
  makeBranches(repository);
  git("merge", "topic");
  expect(shown(repository)).toEqual(merged);
  expect(git("status", "--porcelain")).toBe("");
});

test("comments that one branch has changed and the other deleted remain git's own conflict, which merge reports", () => {
  const repository = makeRepository();
  const { git, run } = repository;
  const id = idIn(run(["add", "pay.js:2", "TODO: limit"]).text);
  commit(repository, "first");
  git("checkout", "-b", "topic");
  run(["delete", "pay.js", id]);
  commit(repository, "topic");
  git("checkout", "main");
  run(["edit", "pay.js", id, "TODO: a limit"]);
  commit(repository, "main");
  expect(() => git("merge", "topic")).toThrow("git merge topic");
  const refused = run(["merge", "pay.js"]);
  expect(refused).toMatchObject({ code: 1, text: expect.stringContaining("keep it with git add") });
  git("add", "pay.js.comments");
  git("commit", "--no-edit");
  expect(run(["show", "pay.js"]).text).toContain("TODO: a limit");
});

test("without the driver a conflict of git is refused until it is merged by the command", () => {
  const repository = makeRepository();
  const { git, run, read } = repository;
  makeBranches(repository);
  expect(() => git("merge", "topic")).toThrow("git merge topic");
  const conflict = read("pay.js.comments");
  expect(conflict).toContain("<<<<<<<");
  expect(run(["add", "pay.js:1", "more"])).toMatchObject({
    code: 1,
    text: expect.stringContaining("idewire comments merge"),
  });
  expect(read("pay.js.comments")).toBe(conflict);
  expect(run(["merge", "pay.js"]).code).toBe(0);
  expect(shown(repository)).toEqual(merged);
});

test("check --since fails on a line that was changed without its comment, in text, JUnit and SARIF", () => {
  const repository = makeRepository();
  const { run, write, read } = repository;
  const id = idIn(run(["add", "pay.js:3", "NOTE: sends it"]).text);
  run(["add", "pay.js:7", "NOTE: negative"]);
  commit(repository, "first");
  write("pay.js", source.replace("return send(amount)", "return queue(amount)"));
  run(["add", "pay.js:1", "NOTE: new"]);
  expect(run(["check"]).code).toBe(0);
  const [first] = run(["add", "pay.js:6", "NOTE: back", "--end", "9"]).text.split(" ");
  expect(run(["show", "pay.js"]).text).toContain(`pay.js:6-9 NOTE ${first} ann: NOTE: back\n`);
  run(["delete", "pay.js", first ?? ""]);
  const reports = ["--junit", "report.xml", "--sarif", "report.sarif"];
  const checked = run(["check", "--since", "HEAD", ...reports]);
  expect(checked.code).toBe(1);
  expect(checked.text).toMatch(
    new RegExp(`^pay.js:3 NOTE (\\[\\w+\\] )?${id} ann: NOTE: sends it\n`),
  );
  expect(checked.text).toContain("before: return send(amount);");
  expect(checked.text).toContain("1 comment is about changed code: idewire comments edit, resolve");
  expect(read("report.xml")).toContain('<testsuites tests="3" failures="1" skipped="0"');
  const sarif = JSON.parse(read("report.sarif"));
  expect(sarif.runs[0].results).toMatchObject([
    {
      ruleId: "changed",
      locations: [
        { physicalLocation: { artifactLocation: { uri: "pay.js" }, region: { startLine: 3 } } },
      ],
    },
  ]);
  run(["edit", "pay.js", id, "NOTE: queues it"]);
  expect(run(["check", "--since", "HEAD"]).code).toBe(0);
  expect(run(["check", "--since", "nowhere"])).toMatchObject({
    code: 1,
    text: expect.stringContaining("--since nowhere: expected a commit"),
  });
});

test("the recipe of the docs prevents a commit from losing a comment", () => {
  const repository = makeRepository();
  const { git, run, write, folder } = repository;
  run(["add", "pay.js:3", "NOTE: sends it"]);
  commit(repository, "first");
  const page = readFileSync(new URL("../../docs/guide/comments.md", import.meta.url), "utf8");
  const recipe = /```sh\n(#!\/bin\/sh[\s\S]*?)```/.exec(page)?.[1] ?? "";
  expect(recipe).toContain("npx idewire comments check --since HEAD");
  const hook = recipe.replace("npx idewire", `"${process.execPath}" "${bin}"`);
  writeFileSync(join(folder, ".git/hooks/pre-commit"), hook, { mode: 0o755 });
  write("pay.js", source.replace("return send(amount)", "return queue(amount)"));
  git("add", "--all");
  expect(() => git("commit", "--message", "second")).toThrow("its code has changed");
});

test("fix steps through orphans by keys: each is moved to a candidate, deleted, or left as it is", () => {
  const repository = makeRepository();
  const { run, write } = repository;
  for (const line of [3, 7, 8]) run(["add", `pay.js:${line}`, `NOTE: on ${line}`]);
  write("pay.js", "function other() {\n  unlike();\n}\n");
  write("money.js", source);
  const fixed = run(["fix"], "x1ds");
  expect(fixed.code).toBe(1);
  expect(fixed.text).toMatch(/perhaps money\.js:3 /);
  expect(fixed.text).toMatch(
    /Moved: c_\d+ to money\.js:3\n[\s\S]*Deleted: c_\d+\n[\s\S]*Left as they are: 1\n$/,
  );
  expect(run(["show", "money.js"]).text).toMatch(/^money\.js:3 NOTE c_\d+ ann: NOTE: on 3\n$/);
  expect(run(["check"]).text).toMatch(
    /\n1 comment may have lost its code: idewire comments fix\n$/,
  );
  expect(run(["fix"], "d").code).toBe(0);
  expect(run(["fix"], "").text).toBe("No comment has lost its code.\n");
});

test("an export is imported again, twice without doubling, and later texts are not undone", () => {
  const repository = makeRepository();
  const { run, write } = repository;
  const id = idIn(run(["add", "pay.js:3", "NOTE: sends it"]).text);
  run(["add", "pay.js:7", "NOTE: negative"]);
  run(["export", "json", "--output", "all.json"]);
  run(["edit", "pay.js", id, "NOTE: later"]);
  run(["delete", "pay.js", idIn(run(["search", "negative"]).text)]);
  write("pay.js", `// moved\n${source}`);
  expect(run(["import", "all.json"])).toEqual({ code: 0, text: "Imported 2 comments on pay.js\n" });
  expect(run(["import", "all.json"]).code).toBe(0);
  expect(shown(repository)).toEqual(["pay.js:4 NOTE later", "pay.js:8 NOTE negative"]);
  write("broken.json", '{"files":[{"filePath":"../x","comments":[]}]}');
  expect(run(["import", "broken.json"])).toMatchObject({
    code: 1,
    text: expect.stringContaining("Invalid file path"),
  });
});

test("migrate writes a file of the original once, and keeps it", () => {
  const { run, write, read, folder } = makeRepository();
  const original = JSON.stringify({
    file: "pay.js",
    version: "2.0.5",
    comments: [
      { id: "a-b", line: 3, text: "old", author: "bob", created: "2024", updated: "2024" },
    ],
    ghostMarkers: [],
  });
  write("pay.js.comments", original);
  expect(run(["migrate"])).toEqual({ code: 0, text: "Migrated the comments of pay.js\n" });
  expect(JSON.parse(read("pay.js.comments"))).toMatchObject({ version: "3.0.0" });
  const [backup = ""] = readdirSync(folder).filter((name) => name.includes(".backup-"));
  expect(read(backup)).toBe(original);
  expect(run(["migrate"])).toEqual({ code: 0, text: "" });
});
