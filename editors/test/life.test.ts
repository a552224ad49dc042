import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtBin, LineProgram } from "../../tests/src/line-program.ts";
import {
  openWorkspace,
  startClient,
  type Workspace,
  write,
} from "../../tests/src/reference-clients/serve-context.ts";
import { kind } from "./kind.ts";
import { locksOf } from "./terminal.ts";

/** Writes a program with a name into a separate folder. */
function writeProgram({ fixture }: Workspace, name: string, script: string) {
  const folder = join(fixture.root, "bin");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}`);
  chmodSync(path, 0o755);
  return { path, env: { PATH: `${folder}:${process.env["PATH"] ?? ""}` } };
}

test("it starts with the first file, and not in $HOME or for a commit message", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  write(workspace, "COMMIT_EDITMSG", "fix\n");
  const editor = kind.start(workspace, { files: ["COMMIT_EDITMSG"] });
  await editor.shows("fix");
  expect(editor.read("state")).toBe("off");
  editor.openFile("a.txt");
  await editor.untilListening();
  const { HOME } = workspace.env;
  writeFileSync(join(HOME, "b.txt"), "two\n");
  const atHome = kind.start(workspace, { files: ["b.txt"], cwd: HOME });
  await atHome.shows("two");
  expect(atHome.read("state")).toBe("off");
});

test("kill -9 of the editor leaves no process and no lock file", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  const editor = kind.start(workspace, { files: ["a.txt"] });
  await editor.untilListening();
  const host = editor.read("hostPid");
  expect(locksOf(workspace)).toHaveLength(1);
  process.kill(editor.read("editorPid"), "SIGKILL");
  const isGone = () => spawnSync("kill", ["-0", String(host)]).status !== 0;
  await expect.poll(isGone, { timeout: 5_000 }).toBe(true);
  expect(locksOf(workspace)).toEqual([]);
});

test("a killed host is restarted without its diffs, and the person is notified once", async () => {
  const workspace = openWorkspace();
  const path = write(workspace, "a.txt", "one\n");
  const editor = kind.start(workspace, { files: ["a.txt"] });
  await editor.untilListening();
  const client = await startClient(workspace);
  await client.untilReady();
  const edit = client.edit(path, "two\n");
  await editor.shows(kind.review);
  const first = editor.read("hostPid");
  process.kill(first, "SIGKILL");
  await editor.shows("idewire: idewire ended, and is started again");
  await editor.until("windows", 1);
  await editor.untilListening();
  expect(editor.read("hostPid")).not.toBe(first);
  await client.until("the terminal asks", () => edit.asking !== undefined);
  edit.answerInTerminal("accept");
  expect(await edit.result).toMatchObject({ by: "terminal" });
  await client.exit();
});

test("without idewire one line explains how to install it, and typing continues", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  const editor = kind.start(workspace, { files: ["a.txt"], command: ["no-such-idewire"] });
  await editor.until("state", "failed");
  await expect
    .poll(() => editor.read("notices"))
    .toMatch(/idewire: no-such-idewire was not found.*: npm install -g idewire installs it/);
  editor.typeAtEnd("more");
  await editor.shows("more");
});

test("with an old Node one line names the required version", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  const script = "echo 'SyntaxError: Unexpected reserved word' >&2\nexit 1\n";
  const { path } = writeProgram(workspace, "idewire", script);
  const editor = kind.start(workspace, { files: ["a.txt"], command: [path] });
  await editor.until("state", "failed");
  await expect
    .poll(() => editor.read("notices"))
    .toContain("idewire: idewire needs Node 20.19 or newer");
  expect(editor.read("notices")).not.toContain("SyntaxError");
});

test("a command of another version is named once", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  const real = `exec '${process.execPath}' '${builtBin}' "$@"`;
  const script = `[ "$1" = --version ] && echo 99.0.0 && exit\n${real}\n`;
  const { path } = writeProgram(workspace, "idewire", script);
  const editor = kind.start(workspace, { files: ["a.txt"], command: [path] });
  await editor.untilListening();
  const reportCount = () =>
    editor.read("notices").split("the command 99.0.0: update the older one").length;
  await expect.poll(reportCount).toBe(2);
  process.kill(editor.read("hostPid"), "SIGKILL");
  await editor.shows("is started again");
  await editor.untilListening();
  expect(reportCount()).toBe(2);
});

test("a suspended host never blocks typing, and receives the newest state when it resumes", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", `${`${"x".repeat(50)}\n`.repeat(100_000)}last\n`);
  const editor = kind.start(workspace, { files: ["a.txt"] });
  await editor.untilListening();
  const client = await startClient(workspace);
  await client.untilReady();
  const host = editor.read("hostPid");
  process.kill(host, "SIGSTOP");
  try {
    for (let round = 0; round < 20; round += 1) {
      editor.selectAll();
      editor.endSelection();
    }
    editor.typeAtEnd("typed meanwhile");
    await editor.shows("typed meanwhile");
  } finally {
    process.kill(host, "SIGCONT");
  }
  editor.endTyping();
  editor.selectLine();
  await client.until("the newest", () => client.inbox.context?.text === "typed meanwhile");
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("binary files and buffers without a file are not sent", async () => {
  const workspace = openWorkspace();
  writeFileSync(join(workspace.folder, "b.bin"), new Uint8Array([1, 0, 2, 10]));
  write(workspace, "a.txt", "one\n");
  const editor = kind.start(workspace, { files: ["a.txt"], share: "all" });
  await editor.untilListening();
  expect(editor.read("isFile")).toBe(true);
  editor.openFile("b.bin");
  await editor.until("isFile", false);
  editor.openFile("a.txt");
  await editor.until("isFile", true);
  editor.leaveFile();
  await editor.until("isFile", false);
});

test("an agent runs beside the file, connected, and is hidden and shown by the same command", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  const script = 'echo "at port $CLAUDE_CODE_SSE_PORT"\nsleep 600\n';
  const { env } = writeProgram(workspace, "claude", script);
  const editor = kind.start(workspace, { files: ["a.txt"], env });
  await editor.untilListening();
  editor.runAgent();
  const [port] = locksOf(workspace)[0]?.split(".") ?? [];
  await editor.shows(`at port ${port}`);
  expect(editor.read("windows")).toBe(2);
  editor.leaveAgent();
  editor.runAgent();
  await editor.until("windows", 1);
  editor.runAgent();
  await editor.until("windows", 2);
  await editor.shows(`at port ${port}`);
});

test("idewire check reports no failure", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  const editor = kind.start(workspace, { files: ["a.txt"], code: kind.reportsProblem });
  await editor.untilListening();
  const check = new LineProgram(process.execPath, [builtBin, "check", "--destructive"], {
    env: workspace.env,
    cwd: workspace.folder,
  });
  expect(await check.exited, check.describe()).toBe(0);
  expect(check.output).toMatch(/✓ 7\d passed/);
});
