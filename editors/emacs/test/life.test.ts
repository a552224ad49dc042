import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtBin, LineProgram } from "../../../tests/src/line-program.ts";
import {
  openWorkspace,
  startClient,
  write,
} from "../../../tests/src/reference-clients/serve-context.ts";
import { locksOf } from "../../terminal.ts";
import { Emacs } from "./emacs.ts";

const state = "(plist-get (idewire-status) :state)";
const hostPid = "(process-id idewire--process)";

test("it starts with the first file, and not in $HOME or for a commit message", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  write(workspace, "COMMIT_EDITMSG", "fix\n");
  const emacs = new Emacs(workspace, { args: ["COMMIT_EDITMSG"] });
  await emacs.shows("fix");
  expect(emacs.lisp(state)).toBe("off");
  emacs.lisp('(find-file "a.txt")');
  await emacs.untilListening();
  const { HOME } = workspace.env;
  writeFileSync(join(HOME, "b.txt"), "two\n");
  const atHome = new Emacs(workspace, { args: ["b.txt"], cwd: HOME });
  await atHome.shows("two");
  expect(atHome.lisp(state)).toBe("off");
});

test("kill -9 of Emacs leaves no process and no lock file", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  const emacs = new Emacs(workspace, { args: ["a.txt"] });
  await emacs.untilListening();
  const host = Number(emacs.lisp(hostPid));
  expect(locksOf(workspace)).toHaveLength(1);
  process.kill(emacs.pid, "SIGKILL");
  const isGone = () => spawnSync("kill", ["-0", String(host)]).status !== 0;
  await expect.poll(isGone, { timeout: 5_000 }).toBe(true);
  expect(locksOf(workspace)).toEqual([]);
});

test("a host that dies is started again, its diffs are gone, and the person is told once", async () => {
  const workspace = openWorkspace();
  const path = write(workspace, "a.txt", "one\n");
  const emacs = new Emacs(workspace, { args: ["a.txt"] });
  await emacs.untilListening();
  const client = await startClient(workspace);
  await client.untilReady();
  const edit = client.edit(path, "two\n");
  await emacs.shows("proposal by Claude Code");
  const first = emacs.lisp(hostPid);
  process.kill(Number(first), "SIGKILL");
  await emacs.shows("idewire: idewire ended, and is started again");
  await emacs.until("(length (window-list))", "1");
  await emacs.untilListening();
  expect(emacs.lisp(hostPid)).not.toBe(first);
  await client.until("the terminal asks", () => edit.asking !== undefined);
  edit.answerInTerminal("accept");
  expect(await edit.result).toMatchObject({ by: "terminal" });
  await client.exit();
});

test("without idewire one line says how to install it, and typing goes on", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  const emacs = new Emacs(workspace, { args: ["a.txt"], command: ["no-such-idewire"] });
  await emacs.until(state, "failed");
  expect(emacs.lisp('(with-current-buffer "*Messages*" (buffer-string))')).toContain(
    "idewire: no-such-idewire was not found in `exec-path': npm install -g idewire installs it",
  );
  emacs.type("more");
  await emacs.shows("more");
});

test("with an old Node one line names the version that is needed", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  const bin = join(workspace.fixture.root, "old");
  mkdirSync(bin);
  const command = join(bin, "idewire");
  writeFileSync(command, "#!/bin/sh\necho 'SyntaxError: Unexpected reserved word' >&2\nexit 1\n");
  chmodSync(command, 0o755);
  const emacs = new Emacs(workspace, { args: ["a.txt"], command: [command] });
  await emacs.until("(stringp (plist-get (idewire-status) :message))", "t");
  await emacs.until(state, "failed");
  const messages = emacs.lisp('(with-current-buffer "*Messages*" (buffer-string))');
  expect(messages).toContain("idewire: idewire needs Node 20.19 or newer");
  expect(messages).not.toContain("SyntaxError");
});

test("a stopped host never blocks typing, and gets the newest state when it goes on", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", `${`${"x".repeat(50)}\n`.repeat(100_000)}last\n`);
  const emacs = new Emacs(workspace, { args: ["a.txt"] });
  await emacs.untilListening();
  const client = await startClient(workspace);
  await client.untilReady();
  const host = Number(emacs.lisp(hostPid));
  process.kill(host, "SIGSTOP");
  try {
    // Not by C-g: three of them break off whatever Emacs does, its hooks too.
    for (let round = 0; round < 20; round += 1) emacs.keys("M-<", "C-Space", "M->");
    emacs.keys("M-w");
    emacs.type("typed meanwhile");
    await emacs.shows("typed meanwhile");
  } finally {
    process.kill(host, "SIGCONT");
  }
  emacs.keys("C-Space", "C-a");
  await client.until("the newest", () => client.inbox.context?.text === "typed meanwhile");
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("binary, remote and unnamed buffers are not sent", async () => {
  const workspace = openWorkspace();
  writeFileSync(join(workspace.folder, "b.bin"), new Uint8Array([1, 0, 2, 10]));
  write(workspace, "a.txt", "one\n");
  const emacs = new Emacs(workspace, { args: ["a.txt"] });
  await emacs.untilListening();
  expect(emacs.lisp('(with-current-buffer "a.txt" (stringp (idewire--path)))')).toBe("t");
  expect(emacs.lisp('(with-current-buffer (find-file "b.bin") (idewire--path))')).toBe("nil");
  expect(emacs.lisp('(with-current-buffer "*scratch*" (idewire--path))')).toBe("nil");
  expect(
    emacs.lisp('(with-temp-buffer (setq buffer-file-name "/ssh:x:/a.txt") (idewire--path))'),
  ).toBe("nil");
});

test("an agent runs in a terminal, connected to this Emacs, and is hidden and shown by the same command", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  const bin = join(workspace.fixture.root, "bin");
  mkdirSync(bin);
  writeFileSync(
    join(bin, "claude"),
    '#!/bin/sh\necho "at port $CLAUDE_CODE_SSE_PORT"\nsleep 600\n',
  );
  chmodSync(join(bin, "claude"), 0o755);
  const env = { PATH: `${bin}:${process.env["PATH"] ?? ""}` };
  const emacs = new Emacs(workspace, { args: ["a.txt"], env });
  await emacs.untilListening();
  emacs.command("idewire-run");
  const [port] = locksOf(workspace)[0]?.split(".") ?? [];
  await emacs.shows(`at port ${port}`);
  const windows = "(length (window-list))";
  expect(emacs.lisp(windows)).toBe("2");
  emacs.keys("C-c");
  emacs.command("idewire-run");
  await emacs.until(windows, "1");
  emacs.command("idewire-run");
  await emacs.until(windows, "2");
  await emacs.shows(`at port ${port}`);
});

test("idewire check finds no broken rule", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  const lisp = `(add-hook 'find-file-hook (lambda ()
    (add-hook 'flymake-diagnostic-functions
      (lambda (report &rest _) (funcall report (list (flymake-make-diagnostic (current-buffer) 1 4 :error "wrong")))) nil t)
    (flymake-mode 1)))`;
  const emacs = new Emacs(workspace, { args: ["a.txt"], lisp });
  await emacs.untilListening();
  const check = new LineProgram(process.execPath, [builtBin, "check", "--destructive"], {
    env: workspace.env,
    cwd: workspace.folder,
  });
  expect(await check.exited, check.describe()).toBe(0);
  expect(check.output).toMatch(/✓ 7\d passed/);
});
