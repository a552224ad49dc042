import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sh, untilControlled } from "../src/control-context.ts";
import { openJobShell } from "../src/job-shell.ts";
import { builtBin } from "../src/line-program.ts";
import { openWorkspace, startClient, startServe } from "../src/reference-clients/serve-context.ts";
import { openTerminal, TERMINAL } from "../src/terminal-context.ts";

// Unreviewed edits: in the terminal of `idewire serve`, and by `idewire review` in another one.

const BEFORE = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
const WRITTEN = "1\ntwo\n3\n4\n5\n6\n7\neight\n9\n";

test("the terminal shows each hunk of an edit without a review, and keeps or undoes it", async () => {
  const { fixture, run } = await openTerminal({ terminal: TERMINAL });
  const client = await startClient(
    { fixture, folder: fixture.workspace, env: fixture.env },
    { permissionMode: "acceptEdits" },
  );
  await client.untilReady();
  await client.prompt("go on");
  const file = join(fixture.workspace, "count.md");
  writeFileSync(file, BEFORE);
  await client.edit(file, WRITTEN).result;
  await run.shows("Type review e1 to keep or undo it hunk by hunk");
  run.type("diffs");
  await run.shows("e1  count.md  +2 -2  Claude Code, written without a review");
  run.type("review e1");
  await run.shows("keep this hunk or undo it?");
  run.type("u");
  await run.shows("The hunk was undone.");
  expect(readFileSync(file, "utf8")).toBe(WRITTEN.replace("two", "2"));
  run.type("k");
  await run.shows("The hunk was kept.");
  run.type("diffs");
  await run.shows("No diff is pending.");
});

test("idewire review e1 keeps and undoes hunks from another terminal, and t undoes the turn", async () => {
  const workspace = openWorkspace("home", "vault");
  const serve = startServe(workspace);
  await serve.event("listening");
  await untilControlled(workspace);
  const files = ["a.md", "b.md"].map((name) => join(workspace.folder, name));
  for (const file of files) writeFileSync(file, BEFORE);
  const client = await startClient(workspace, { permissionMode: "acceptEdits" });
  await client.untilReady();
  await client.prompt("go on");
  const listed = "e1  a.md  Claude Code  +2 -2, written without a review\n";
  const expectListed = (line: string) =>
    expect.poll(async () => (await sh(workspace, "idewire diffs")).output).toContain(line);
  await client.edit(join(workspace.folder, "a.md"), WRITTEN).result;
  await expectListed(listed);
  await client.edit(join(workspace.folder, "b.md"), WRITTEN).result;
  await expectListed(listed.replace("e1  a", "e2  b"));
  const shell = openJobShell({ ...workspace.env, TERM: "xterm" }, workspace.folder);
  shell.type(`'${process.execPath}' '${builtBin}' review e1; echo code-$?`, "Enter");
  await shell.shows(/hunk 1\/2/);
  shell.type("k", "Enter");
  await shell.shows(/The hunk was kept[\s\S]*hunk 1\/1/);
  shell.type("t", "Enter");
  await shell.shows(/these 2 files[\s\S]*undo them/);
  shell.type("y", "Enter");
  await shell.shows(/Undone: b\.md[\s\S]*Undone: a\.md[\s\S]*code-0/);
  expect(files.map((file) => readFileSync(file, "utf8"))).toEqual([
    BEFORE.replace("2", "two"),
    BEFORE,
  ]);
  const { output } = await sh(workspace, "idewire review e1");
  expect(output).toContain("in a terminal only");
});
