import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { allDialects, claudeCode, gemini, qwen } from "@idewire/core";
import { posixPath } from "@idewire/core/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { AgentContext, DEAD_PID, rewriteLock } from "../src/agent-context.ts";
import { exitOf } from "../src/exit-of.ts";
import { silentPort } from "../src/silent-port.ts";

test("list shows which editors run, which do not and why, and never a token", async () => {
  const context = new AgentContext();
  const { lockFile, port } = await context.serve();
  const elsewhere = join(context.fixture.root, "elsewhere");
  mkdirSync(elsewhere);
  const other = await context.serve(elsewhere);
  const dead = context.lock(4001, { pid: DEAD_PID, ideName: "Gone\x1b[2J" }, 20);
  const silent = await silentPort();
  context.lock(silent, {}, 30);
  context.fixture.lock(4003, "not JSON", 40);
  const { code, output } = await context.run("list");
  expect(code).toBe(0);
  const pid = process.pid;
  expect(output).toContain(
    `● Fake Editor live: port ${port}, process ${pid}, for this folder\n    ${context.folder}\n    ${lockFile}\n`,
  );
  expect(output).toContain(
    `● Fake Editor live: port ${other.port}, process ${pid}\n    not for this folder: it is for ${elsewhere}\n`,
  );
  expect(output).toContain(
    `✗ Gone␛[2J stale: port 4001, process ${DEAD_PID}\n    process ${DEAD_PID} is no longer running\n    ${dead}\n`,
  );
  expect(output).toContain(
    `✗ Editor stale: port ${silent}, process ${pid}\n    nothing answers on port ${silent}\n`,
  );
  expect(output).toContain("✗ ? stale: port 4003\n    the file is not JSON\n");
  const json = await context.run("list", "--json", "--cwd", elsewhere);
  const { cwd, editors } = JSON.parse(json.output) as {
    readonly cwd: string;
    readonly editors: readonly {
      readonly port: number;
      readonly state: string;
      readonly here: boolean;
    }[];
  };
  expect(cwd).toBe(elsewhere);
  expect(editors.map(({ state }) => state).sort()).toEqual([
    "live",
    "live",
    "stale",
    "stale",
    "stale",
  ]);
  expect(editors.filter(({ here }) => here).map((editor) => editor.port)).toEqual([other.port]);
  const { authToken } = JSON.parse(readFileSync(lockFile, "utf8")) as { authToken: string };
  for (const text of [output, json.output]) {
    expect(text).not.toContain(authToken);
    expect(text).not.toContain("secret");
  }
});

// Where agents look (docs/clients/README.md); opencode and Kilo Code look where Claude Code does.
test("list shows the file by which the agents of each family find the editor", async () => {
  const context = new AgentContext();
  const dialects = allDialects.filter(({ endpoint }) => endpoint.discovery !== undefined);
  const { listener } = await context.serve(context.folder, { dialects });
  const { editors } = JSON.parse((await context.run("list", "--json")).output) as {
    readonly editors: readonly { readonly lockFile: string; readonly state: string }[];
  };
  expect(editors.map(({ state }) => state)).toEqual(dialects.map(() => "live"));
  const listed = editors.map(({ lockFile }) => lockFile).sort();
  expect(listed).toEqual(listener.endpoints.map(({ lockFile }) => lockFile).sort());
  const { home, temporary } = context.fixture;
  const places = [".claude/ide", ".copilot/ide", ".qwen/ide"].map((name) => join(home, name));
  const folders = [...places, join(temporary, "gemini", "ide")];
  expect(listed.map((file) => dirname(file)).sort()).toEqual(folders.sort());
});

test("list names the searched places when it finds nothing, and exits with 1", async () => {
  const context = new AgentContext();
  const { code, output } = await context.run("list");
  expect([code, output]).toEqual([1, `There is no lock file in ${context.fixture.lockFolder}\n`]);
});

test("call prints the tool's answer", async () => {
  const context = new AgentContext();
  await context.serve();
  const received = await context.run("call", "getWorkspaceFolders");
  expect([received.code, received.errors]).toEqual([0, ""]);
  expect(JSON.parse(received.output)).toMatchObject({ rootPath: context.folder });
  const json = await context.run("call", "closeAllDiffTabs", "{}", "--json");
  expect(JSON.parse(json.output)).toEqual({
    content: [{ type: "text", text: "CLOSED_0_DIFF_TABS" }],
  });
});

test("call reads its arguments from stdin, and waits for the person", async () => {
  const context = new AgentContext();
  const { host } = await context.serve();
  const run = context.start("call", "openDiff", "-");
  const file = join(context.folder, "a.txt");
  const args = { old_file_path: file, new_file_path: file, new_file_contents: "x", tab_name: "t" };
  run.stdin.end(JSON.stringify(args));
  await vi.waitFor(() => expect(host.shownDiffs).toHaveLength(1), 60_000);
  host.answerDiff(host.shownDiffs[0]?.id ?? ("" as never), {
    kind: "accepted",
    text: "one\r\ntwo\x1b[2J",
  });
  expect([await run.exited, run.output]).toEqual([0, "FILE_SAVED\none\ntwo␛[2J\n"]);
});

test("call cancels its tool when it is interrupted", async () => {
  const context = new AgentContext();
  const { host } = await context.serve();
  const file = join(context.folder, "a.txt");
  const args = { old_file_path: file, new_file_path: file, new_file_contents: "x", tab_name: "t" };
  const run = context.start("call", "openDiff", JSON.stringify(args));
  await vi.waitFor(() => expect(host.shownDiffs).toHaveLength(1), 60_000);
  run.signal("SIGINT");
  expect([await run.exited, run.output]).toEqual([130, ""]);
  await vi.waitFor(() => expect(host.shownDiffs).toEqual([]), 60_000);
});

test("call has an exit code for each kind of failure", async () => {
  const context = new AgentContext();
  const nobody = await context.run("call", "getDiagnostics");
  expect(nobody.code).toBe(1);
  expect(nobody.errors).toMatch(/^idewire: No running editor is for .*\nidewire: There is no lock/);
  const { lockFile } = await context.serve();
  const unknown = await context.run("call", "dance");
  expect([unknown.code, unknown.output]).toEqual([1, ""]);
  expect(unknown.errors).toMatch(/^idewire: .*no tool "dance"; it has: .*openFile.*\n$/);
  const failing = await context.run("call", "openDiff", "{}");
  expect(failing.code).toBe(3);
  expect(failing.output).toContain("old_file_path");
  for (const args of ["{", "[]", "1"]) {
    const wrong = await context.run("call", "openDiff", args);
    expect([wrong.code, wrong.output]).toEqual([2, ""]);
    expect(wrong.errors).toContain("Try idewire call --help");
  }
  rewriteLock(lockFile, { authToken: "other" });
  const refused = await context.run("call", "getDiagnostics");
  expect(refused.code).toBe(1);
  expect(refused.errors).toContain("closed with 1008");
});

test("tail shows people the editor's messages, and reconnects when it restarts", async () => {
  const context = new AgentContext();
  const { host, listener, port } = await context.serve();
  const run = context.start("tail");
  await run.shows(`→ Fake Editor on port ${port}\n`);
  const path = posixPath(join(context.folder, "a\x1b.txt"));
  const range = { start: { line: 1, character: 0 }, end: { line: 3, character: 0 } };
  host.setSelection({ path, ranges: [{ ...range, text: "two\nthree\n" }], primary: 0 });
  await run.shows("a␛.txt:2-3  two three\n");
  host.mention({ path, lines: { start: 1, end: 2 } });
  await run.shows("a␛.txt:2-3\n");
  await listener.close();
  await run.shows("← the editor has disconnected (1001: The editor has closed)\n");
  const again = await context.serve();
  await run.shows(`→ Fake Editor on port ${again.port}\n`);
  run.signal("SIGTERM");
  expect(await run.exited).toBe(143);
});

// "`idewire tail --agent gemini` shows what it is sent" (docs/clients/gemini-cli.md, With idewire).
test.each(["gemini", "qwen"])(
  "tail --agent %s shows the messages to that agent, and is not itself counted as an agent",
  async (name) => {
    const context = new AgentContext();
    const dialects = [claudeCode, gemini, qwen];
    const { host, listener } = await context.serve(context.folder, { dialects });
    const run = context.start("tail", "--agent", name, "--json");
    await run.event("connected");
    const path = posixPath(join(context.folder, "a.txt"));
    const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 3 } };
    host.setSelection({ path, ranges: [{ ...range, text: "two" }], primary: 0 });
    const cursor = { line: 2, character: 4 };
    const active = { path, isActive: true, cursor, selectedText: "two" };
    const sent = await run.event("notification", { method: "ide/contextUpdate" });
    expect(sent["params"]).toMatchObject({ workspaceState: { openFiles: [active] } });
    expect([...listener.sessions].map(({ agent }) => agent?.name)).toEqual(["idewire"]);
    run.signal("SIGTERM");
    expect(await run.exited).toBe(143);
  },
);

// "`idewire tail --agent copilot` shows what it is sent" (docs/clients/copilot-cli.md, With idewire).
test("tail --agent copilot shows the messages to Copilot CLI at its socket, and reconnects", async () => {
  const context = new AgentContext();
  context.fixture.file("a.txt", "one\ntwo\n");
  const serve = () => context.start("serve", "--script");
  const first = serve();
  await first.event("listening");
  const run = context.start("tail", "--agent", "copilot", "--json");
  const { port, socketPath } = await run.event("connected");
  expect(port).toBeUndefined();
  expect(String(socketPath).startsWith(context.fixture.temporary)).toBe(true);
  const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 3 } };
  first.type({ do: "select", path: "a.txt", range });
  const filePath = join(context.folder, "a.txt");
  expect(await run.event("selection", { filePath, text: "two" })).toBeDefined();
  first.type({ do: "mention", path: "a.txt" });
  const mentioned = await run.event("notification", { method: "add_file_reference" });
  expect(mentioned["params"]).toMatchObject({ filePath });
  first.signal("SIGTERM");
  await first.exited;
  await serve().event("listening");
  await expect.poll(() => run.events.filter(({ event }) => event === "connected").length).toBe(2);
  const people = context.start("tail", "--agent", "copilot");
  await people.shows(" at ");
  for (const each of [run, people]) each.signal("SIGTERM");
  expect(await run.exited).toBe(143);
});

test("tail --json prints a line for each message", async () => {
  const context = new AgentContext();
  const { host, port, lockFile, listener } = await context.serve();
  const run = context.start("tail", "--json");
  await run.event("connected", { name: "Fake Editor", port, lockFile });
  const filePath = posixPath(join(context.folder, "a.txt"));
  const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 3 } };
  host.setSelection({ path: filePath, ranges: [{ ...range, text: "two" }], primary: 0 });
  expect(await run.event("selection", { filePath })).toEqual({
    event: "selection",
    filePath,
    text: "two",
    selection: range,
  });
  host.setSelection(undefined);
  await vi.waitFor(() => expect(run.events).toContainEqual({ event: "selection" }), 60_000);
  host.mention({ path: filePath });
  expect(await run.event("mention")).toEqual({ event: "mention", filePath });
  await listener.close();
  expect(await run.event("disconnected", { code: 1001 })).toMatchObject({ retryInMs: 0 });
  await run.event("retry-failed");
  run.signal("SIGINT");
  expect(await run.exited).toBe(130);
});

test("tail exits with 1 without an editor", async () => {
  const context = new AgentContext();
  const { code, output, errors } = await context.run("tail");
  expect([code, output]).toEqual([1, ""]);
  expect(errors).toContain("idewire: No running editor is for");
});

/** Runs the built command in a separate process, without input or a terminal. */
function runBuilt(context: AgentContext, ...args: readonly string[]) {
  const bin = fileURLToPath(new URL("../../packages/cli/bin/idewire.js", import.meta.url));
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: context.folder,
    env: { ...context.fixture.env, PATH: context.programs },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return { child, exited: exitOf(child) };
}

test("each command ends by itself in a process without a terminal", async () => {
  const context = new AgentContext();
  await context.serve();
  for (const args of [["list"], ["doctor"], ["call", "getDiagnostics"]]) {
    const { child, exited } = runBuilt(context, ...args);
    child.stdout.resume();
    expect(await exited).toEqual([0, null]);
  }
});

test("tail ends when its output is closed", async () => {
  const context = new AgentContext();
  const { host } = await context.serve();
  const { child, exited } = runBuilt(context, "tail", "--json");
  await once(child.stdout, "data");
  child.stdout.destroy();
  const mention = setInterval(() => host.mention({ path: posixPath(context.folder) }), 20);
  onTestFinished(() => clearInterval(mention));
  expect(await exited).toEqual([0, null]);
});
