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
import { Neovim } from "./neovim.ts";

const state = 'require("idewire").status().state';
const hostPid = 'require("idewire.host").pid()';

test("it starts with the first file, and not in $HOME or for a commit message", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  write(workspace, "COMMIT_EDITMSG", "fix\n");
  const neovim = new Neovim(workspace, { args: ["COMMIT_EDITMSG"] });
  await neovim.shows("fix");
  expect(neovim.lua(state)).toBe("off");
  neovim.command("edit a.txt");
  await neovim.untilListening();
  const { HOME } = workspace.env;
  writeFileSync(join(HOME, "b.txt"), "two\n");
  const atHome = new Neovim(workspace, { args: ["b.txt"], cwd: HOME });
  await atHome.shows("two");
  expect(atHome.lua(state)).toBe("off");
});

test("kill -9 of Neovim leaves no process and no lock file", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  const neovim = new Neovim(workspace, { args: ["a.txt"] });
  await neovim.untilListening();
  const host = Number(neovim.lua(hostPid));
  expect(locksOf(workspace)).toHaveLength(1);
  process.kill(neovim.pid, "SIGKILL");
  const isGone = () => spawnSync("kill", ["-0", String(host)]).status !== 0;
  await expect.poll(isGone, { timeout: 5_000 }).toBe(true);
  expect(locksOf(workspace)).toEqual([]);
});

test("a host that dies is started again, its diffs are gone, and the person is told once", async () => {
  const workspace = openWorkspace();
  const path = write(workspace, "a.txt", "one\n");
  const neovim = new Neovim(workspace, { args: ["a.txt"] });
  await neovim.untilListening();
  const client = await startClient(workspace);
  await client.untilReady();
  const edit = client.edit(path, "two\n");
  await neovim.shows("proposed by Claude Code");
  const first = neovim.lua(hostPid);
  process.kill(Number(first), "SIGKILL");
  await neovim.shows("idewire: idewire ended, and is started again");
  await neovim.until("vim.fn.tabpagenr('$')", "1");
  await neovim.untilListening();
  expect(neovim.lua(hostPid)).not.toBe(first);
  await client.until("the terminal asks", () => edit.asking !== undefined);
  edit.answerInTerminal("accept");
  expect(await edit.result).toMatchObject({ by: "terminal" });
  await client.exit();
});

test("without idewire one line says how to install it, and typing goes on", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  const lua = 'require("idewire").setup{ command = { "no-such-idewire" } }';
  const neovim = new Neovim(workspace, { args: ["a.txt"], lua });
  await neovim.shows("idewire: no-such-idewire was not found: npm install -g idewire installs it");
  expect(neovim.lua(state)).toBe("failed");
  neovim.keys("o", "more");
  await neovim.shows("more");
});

test("with an old Node one line names the version that is needed", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  const bin = join(workspace.fixture.root, "old");
  mkdirSync(bin);
  const command = join(bin, "idewire");
  writeFileSync(command, "#!/bin/sh\necho 'SyntaxError: Unexpected reserved word' >&2\nexit 1\n");
  chmodSync(command, 0o755);
  const lua = `require("idewire").setup{ command = { ${JSON.stringify(command)} } }`;
  const neovim = new Neovim(workspace, { args: ["a.txt"], lua });
  await neovim.shows("idewire: idewire needs Node 20.19 or newer");
  expect(neovim.screen).not.toContain("SyntaxError");
});

test("a stopped host never blocks typing, and gets the newest state when it goes on", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", `${`${"x".repeat(50)}\n`.repeat(100_000)}last\n`);
  const neovim = new Neovim(workspace, { args: ["a.txt"] });
  await neovim.untilListening();
  const client = await startClient(workspace);
  await client.untilReady();
  const host = Number(neovim.lua(hostPid));
  process.kill(host, "SIGSTOP");
  try {
    for (let round = 0; round < 20; round += 1) neovim.keys("g", "g", "V", "G", "Escape");
    neovim.keys("G", "o");
    neovim.type("typed meanwhile");
    await neovim.shows("typed meanwhile");
  } finally {
    process.kill(host, "SIGCONT");
  }
  neovim.keys("Escape", "V");
  await client.until("the newest", () => client.inbox.context?.text === "typed meanwhile");
  await client.exit();
  expect(client.violations).toEqual([]);
});

test("binary and unnamed buffers are not sent", async () => {
  const workspace = openWorkspace();
  writeFileSync(join(workspace.folder, "b.bin"), new Uint8Array([1, 0, 2, 10]));
  write(workspace, "a.txt", "one\n");
  const neovim = new Neovim(workspace, { args: ["a.txt"], setup: 'share = "all"' });
  await neovim.untilListening();
  const selection = 'require("idewire.selection").current()';
  neovim.command("edit b.bin");
  await neovim.until("vim.fn.expand('%')", "b.bin");
  expect(neovim.lua(selection)).toBe("nil");
  neovim.command("enew");
  await neovim.until("vim.fn.expand('%')", "");
  expect(neovim.lua(selection)).toBe("nil");
});

test("another Neovim on the folder waits, and serves it when the first has ended", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  write(workspace, "b.txt", "one\n");
  const first = new Neovim(workspace, { args: ["a.txt"] });
  await first.untilListening();
  const second = new Neovim(workspace, { args: ["b.txt"] });
  await second.shows("is served already");
  await second.until(state, "waiting");
  first.command("q");
  second.command("Idewire stop");
  second.command("Idewire start");
  await second.untilListening();
  expect(locksOf(workspace)).toHaveLength(1);
});

test("an agent runs in a split, connected to this Neovim, and is hidden and shown by the same command", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  const bin = join(workspace.fixture.root, "bin");
  mkdirSync(bin);
  writeFileSync(
    join(bin, "claude"),
    '#!/bin/sh\necho "agent at port $CLAUDE_CODE_SSE_PORT"\nsleep 600\n',
  );
  chmodSync(join(bin, "claude"), 0o755);
  const env = { PATH: `${bin}:${process.env["PATH"] ?? ""}` };
  const neovim = new Neovim(workspace, { args: ["a.txt"], env });
  await neovim.untilListening();
  neovim.command("Idewire run");
  const [port] = locksOf(workspace)[0]?.split(".") ?? [];
  await neovim.shows(`agent at port ${port}`);
  const windows = "vim.fn.winnr('$')";
  expect(neovim.lua(windows)).toBe("2");
  neovim.keys("C-\\", "C-n");
  neovim.command("Idewire run");
  await neovim.until(windows, "1");
  neovim.command("Idewire run");
  await neovim.until(windows, "2");
  await neovim.shows(`agent at port ${port}`);
});

test("idewire check finds no broken rule", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  const diagnostic = '{ lnum = 0, col = 0, end_col = 3, message = "wrong", severity = 1 }';
  const lua = `vim.api.nvim_create_autocmd("BufReadPost", { callback = function(args)
    vim.diagnostic.set(vim.api.nvim_create_namespace("t"), args.buf, { ${diagnostic} }) end })`;
  const neovim = new Neovim(workspace, { args: ["a.txt"], lua });
  await neovim.untilListening();
  const check = new LineProgram(process.execPath, [builtBin, "check", "--destructive"], {
    env: workspace.env,
    cwd: workspace.folder,
  });
  expect(await check.exited, check.describe()).toBe(0);
  expect(check.output).toMatch(/✓ 7\d passed/);
});

test("the health report names Node, the command and the folder", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  const neovim = new Neovim(workspace, { args: ["a.txt"] });
  await neovim.untilListening();
  neovim.command("checkhealth idewire");
  await neovim.shows(/OK:? Node v\d+/);
  await neovim.shows("listening, 0 agents");
  expect(neovim.screen).toContain(`folder ${workspace.folder}`);
});

test("a change of the directory changes the folders", async () => {
  const workspace = openWorkspace();
  write(workspace, "a.txt", "one\n");
  write(workspace, "sub/b.txt", "two\n");
  const neovim = new Neovim(workspace, { args: ["a.txt"] });
  await neovim.untilListening();
  neovim.command("cd sub");
  const cwd = join(workspace.folder, "sub");
  const client = await startClient(workspace, { cwd });
  await client.untilReady();
  neovim.command("edit b.txt");
  await client.until("the file", () => client.badge === "⧉ In b.txt");
  expect(client.violations).toEqual([]);
  await client.exit();
});
