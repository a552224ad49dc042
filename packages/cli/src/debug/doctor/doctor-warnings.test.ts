import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { codex } from "@idewire/core";
import { expect, onTestFinished, test } from "vitest";
import { AgentContext, DEAD_PID } from "../../../../../tests/src/agent-context.ts";
import { examine } from "../../../../../tests/src/doctor-report.ts";
import { silentPort } from "../../../../../tests/src/silent-port.ts";

test("no lock file at all, and one that cannot be read", async () => {
  const context = new AgentContext();
  const none = await examine(context);
  expect([none.fault, none.advice.includes(`idewire serve ${context.folder}`)]).toEqual([
    "files",
    true,
  ]);
  context.fixture.lock(4001, "{");
  const broken = await examine(context);
  expect([broken.fault, broken.detail.includes("the file is not JSON")]).toEqual(["files", true]);
  await context.serve();
  expect((await examine(context)).outcomes["files"]).toBe("warning");
});

test("settings that are valid but disable diffs or opencode are warnings", async () => {
  const context = new AgentContext();
  await context.serve();
  context.lock(4001, { pid: DEAD_PID }, -10);
  writeFileSync(join(context.fixture.home, ".claude.json"), '{"diffTool":"terminal"}');
  const settings = join(context.fixture.home, ".claude", "settings.json");
  writeFileSync(settings, '{"permissions":{"defaultMode":"acceptEdits"}}');
  const { ok, steps } = await examine(context, { CLAUDE_CODE_AUTO_CONNECT_IDE: "false" });
  expect(ok).toBe(true);
  const warnings = steps.filter(({ outcome }) => outcome === "warning");
  expect(warnings.map(({ id }) => id)).toEqual(["client", "settings", "opencode"]);
  expect(warnings[1]?.detail).toBe(
    "CLAUDE_CODE_AUTO_CONNECT_IDE is false; " +
      'diffTool is "terminal": diffs are shown in the terminal only; ' +
      'the permission mode is "acceptEdits": files are written without a review in the editor',
  );
  expect(warnings[2]?.detail).toContain("it uses the newest lock file, which is stale");
});

test("a lock directory that other users can read or write is a warning", async () => {
  const context = new AgentContext();
  await context.serve();
  const directory = context.fixture.lockFolder;
  for (const mode of [0o755, 0o722]) {
    chmodSync(directory, mode);
    const { ok, steps } = await examine(context);
    const step = steps.find(({ id }) => id === "directory");
    expect([ok, step?.outcome]).toEqual([true, "warning"]);
    expect(step?.detail).toBe(`${directory} is open to other users (mode ${mode.toString(8)})`);
    expect(step?.advice).toEqual([`Keep others out: chmod 700 ${directory}`]);
  }
});

test("a custom configuration directory is valid, but opencode does not search it", async () => {
  const context = new AgentContext();
  const env = { ...context.fixture.env, CLAUDE_CONFIG_DIR: join(context.fixture.root, "config") };
  const { lockFile } = await context.serve(context.folder, { env });
  expect(dirname(dirname(lockFile))).toBe(env.CLAUDE_CONFIG_DIR);
  const { ok, steps } = await examine(context, env);
  const opencode = steps.find(({ id }) => id === "opencode");
  expect([ok, opencode?.outcome]).toEqual([true, "warning"]);
});

test("a missing folder, and names with terminal control sequences", async () => {
  const context = new AgentContext();
  const { code, output } = await context.run("doctor", "--cwd", "missing");
  expect(code).toBe(1);
  expect(output).toContain("missing is not a directory");
  context.lock(await silentPort(), { ideName: "\x1b]0;owned\x07", workspaceFolders: ["/\x1b[2J"] });
  context.lock(await silentPort(), { ideName: "\x1b]0;owned\x07" });
  for (const args of [["doctor"], ["doctor", "--json"]]) {
    const received = await context.run(...args);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(received.output).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
  }
  expect((await context.run("doctor")).output).toContain("␛]0;owned␇");
});

/** A context with Codex CLI and a separate folder for temporary files. */
function installCodex() {
  const context = new AgentContext();
  const env = { ...context.fixture.env, TMPDIR: join(context.fixture.root, "t") };
  mkdirSync(env.TMPDIR);
  writeFileSync(join(context.programs, "codex"), "#!/bin/sh\n", { mode: 0o755 });
  const hub = join(env.TMPDIR, "codex-ipc", `ipc-${process.getuid?.() ?? 0}.sock`);
  const step = async () => {
    const { steps } = await examine(context, { TMPDIR: env.TMPDIR });
    return steps.find(({ id }) => id === "codex");
  };
  const serve = (folder?: string) =>
    context.serve(folder, { env, dialects: [codex], resume: true });
  return { context, env, hub, step, serve };
}

// "`idewire doctor` why it does not" (docs/clients/codex.md, From nothing to the first prompt).
test("where Codex CLI can ask the editor, what remains to be typed there is named", async () => {
  const { serve, hub, step } = installCodex();
  await serve();
  expect(await step()).toMatchObject({
    outcome: "ok",
    detail: `${hub}; there, type /ide on in each session`,
  });
});

test("an editor that does not listen for Codex CLI, or serves another folder, is a warning", async () => {
  const { context, serve, hub, step } = installCodex();
  await context.serve();
  const silent = await step();
  expect(silent).toMatchObject({ outcome: "warning", detail: `no editor answers at ${hub}` });
  expect(silent?.advice?.join()).toContain("the same TMPDIR");
  const elsewhere = join(context.fixture.root, "elsewhere");
  mkdirSync(elsewhere);
  await serve(elsewhere);
  expect((await step())?.detail).toContain(`and no editor for ${context.folder}`);
});

test("an editor that is stopped (Ctrl-Z) at the socket of Codex CLI is a warning", async () => {
  const { hub, step } = installCodex();
  mkdirSync(dirname(hub), { mode: 0o700 });
  const server = createServer().listen(hub);
  await new Promise((resolve) => server.once("listening", resolve));
  const editor = spawn("sleep", ["60"]);
  onTestFinished(() => {
    server.close();
    editor.kill("SIGKILL");
  });
  writeFileSync(`${hub}.lock`, JSON.stringify({ pid: editor.pid }), { mode: 0o600 });
  editor.kill("SIGSTOP");
  const detail = `process ${editor.pid}, which answers at ${hub}, is stopped (Ctrl-Z)`;
  await expect.poll(async () => (await step())?.detail).toBe(detail);
});

test("another program at the socket of Codex CLI, and a folder of it that is open, are warnings", async () => {
  const { hub, step } = installCodex();
  mkdirSync(dirname(hub), { mode: 0o700 });
  for (const path of [hub, join(dirname(hub), "ipc.sock")]) {
    const other = createServer().listen(path);
    await new Promise((resolve) => other.once("listening", resolve));
    onTestFinished(() => void other.close());
    expect((await step())?.detail).toContain(`another program listens at ${path}`);
  }
  rmSync(dirname(hub), { recursive: true });
  mkdirSync(dirname(hub));
  chmodSync(dirname(hub), 0o777);
  expect((await step())?.detail).toContain(`${dirname(hub)} may be written by others`);
});
