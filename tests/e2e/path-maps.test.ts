import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createPathMap, wslPathMap } from "@idewire/core";
import { fakeEditorHost, posixPath } from "@idewire/core/testing";
import { connectIde, findEditors, listenIde } from "@idewire/node-server";
import { expect, onTestFinished, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture, startClaude } from "../src/reference-clients/context.ts";
import type { Fixture } from "../src/reference-clients/fixture.ts";
import { openForwarder } from "../src/tcp-forwarder.ts";

// The recipes of the README, "Agents elsewhere". Each fixture stands for a machine.

/** Serves a folder to agents on another machine. */
async function serveFor(agent: Fixture, ...args: readonly string[]) {
  const editor = openFixture();
  editor.file("plan.md", "# Plan\n\none\n");
  agent.file("plan.md", "# Plan\n\none\n");
  const rule = `.=${agent.workspace}`;
  const run = new CliRun(editor, { args: ["serve", "--script", "--path-map", rule, ...args] });
  const { port, lockFile } = await run.event("listening");
  return { editor, run, port: Number(port), lockFile: String(lockFile) };
}

/** A session of Claude Code on the other machine: selection, mention, an edit, diagnostics. */
async function playSession(
  { editor, run }: Awaited<ReturnType<typeof serveFor>>,
  agent: Fixture,
  env: { readonly CLAUDE_CODE_IDE_HOST_OVERRIDE?: string } = {},
): Promise<void> {
  const client = await startClaude(agent, { env: { ...agent.env, ...env } });
  await client.untilReady();
  const range = { start: { line: 2, character: 0 }, end: { line: 2, character: 3 } };
  run.type({ do: "select", path: "plan.md", range });
  run.type({ do: "mention", path: "plan.md" });
  await client.until("the mention", () => client.inbox.promptInput.includes("@plan.md"));
  await client.until("the selection", () => client.badge);
  const { context, typed } = await client.prompt("go");
  expect(context).toContain(`from ${join(agent.workspace, "plan.md")}`);
  expect(typed).toBe("@plan.md go");

  const edit = client.edit(join(agent.workspace, "plan.md"), "# Plan\n\none\ntwo\n");
  const opened = await run.event("diff-opened");
  expect(opened["filePath"]).toBe(join(editor.workspace, "plan.md"));
  run.type({ do: "diff", answer: "accept" });
  expect(await edit.result).toMatchObject({ decision: "accepted", by: "ide" });
  expect(readFileSync(join(agent.workspace, "plan.md"), "utf8")).toBe("# Plan\n\none\ntwo\n");
  // Only the agent writes, on its own machine.
  expect(readFileSync(join(editor.workspace, "plan.md"), "utf8")).toBe("# Plan\n\none\n");

  const files = [
    {
      path: join(editor.workspace, "plan.md"),
      diagnostics: [{ message: "no", severity: "error", range }],
    },
  ];
  run.type({ do: "setDiagnostics", files });
  await run.event("done", { do: "setDiagnostics" });
  const uri = `file://${join(agent.workspace, "plan.md")}`;
  const answer = await client.callAsModel("getDiagnostics", { uri }).reply;
  expect(JSON.stringify(answer)).toContain(`\\"uri\\":\\"${uri}\\"`);
  expect(JSON.stringify(answer)).not.toContain(editor.workspace);
  await client.exit();
  // Left out on purpose: the process of the editor is on another machine.
  expect(client.violations.map(({ rule }) => rule)).toEqual(["lock-pid"]);
}

test("over ssh: the lock file is copied, and a remote forward leads to the editor", async () => {
  const remote = openFixture();
  const served = await serveFor(remote);
  // ssh -R 0:127.0.0.1:<port> dev, and scp of the lock file under the name of the far port
  const farPort = await openForwarder(served.port);
  mkdirSync(remote.lockFolder, { recursive: true });
  copyFileSync(served.lockFile, join(remote.lockFolder, `${farPort}.lock`));
  await playSession(served, remote);
});

test("in a container: the lock folder is mounted, and the host has another name", async () => {
  const container = openFixture();
  // --add-host host.docker.internal:host-gateway; here 127.0.0.2 is that name
  const served = await serveFor(container, "--allow-host", "127.0.0.2");
  await openForwarder(served.port, { host: "127.0.0.2", port: served.port });
  mkdirSync(join(container.home, ".claude"));
  symlinkSync(served.editor.lockFolder, container.lockFolder);
  await playSession(served, container, { CLAUDE_CODE_IDE_HOST_OVERRIDE: "127.0.0.2" });
});

test("its lock file names no process, which agents elsewhere would treat as dead", async () => {
  const agent = openFixture();
  const { lockFile } = await serveFor(agent);
  const lock = JSON.parse(readFileSync(lockFile, "utf8")) as Record<string, unknown>;
  expect(lock).toMatchObject({
    workspaceFolders: [agent.workspace],
    generator: "idewire",
    generatorPid: process.pid,
    runningInWindows: false,
  });
  expect(lock["pid"]).toBeUndefined();
});

test("agents here and agents elsewhere each find a run of their own on one folder", async () => {
  const agent = openFixture();
  const { editor } = await serveFor(agent);
  const local = new CliRun(editor, { args: ["serve", "--script"] });
  await local.event("listening");
  const client = await startClaude(editor);
  await client.untilReady();
  const again = new CliRun(editor, {
    args: ["serve", "--script", "--path-map", `.=${agent.workspace}`],
  });
  expect(await again.exited).toBe(1);
  expect(again.errors).toContain(`(as ${agent.workspace}) is served already`);
});

test("the start names the folder as agents see it, and the editor that has the key bindings", async () => {
  const agent = openFixture();
  const editor = openFixture();
  editor.file("plan.md", "# Plan\n");
  const local = new CliRun(editor, { args: ["serve"] });
  await local.shows("In another terminal:");
  const args = ["serve", "--path-map", `.=${agent.workspace}`];
  const far = new CliRun(editor, { args });
  await far.shows("Type help");
  expect(far.output).toContain(
    `is the editor of ${editor.workspace}\nfor agents that see it as ${agent.workspace}\n`,
  );
  expect(far.output).toContain("On the agent's machine, with that lock file in its ~/.claude/ide:");
  expect(far.output).toContain(
    `\n  cd ${agent.workspace}\n  claude --ide --permission-mode default\n`,
  );
  expect(far.output).toContain(
    "Commands from other terminals do not reach this editor: another idewire on this folder receives them",
  );
  const clear = new CliRun(editor, { args: ["clear"] });
  expect(await clear.exited).toBe(0);
});

const windowsHome = posixPath("/c/Users/Jo/vault");

/** An editor with the paths of Windows. */
async function serveWindows(env: Fixture["env"], pathMap: ReturnType<typeof createPathMap>) {
  const host = fakeEditorHost();
  host.folders = [{ path: windowsHome, name: "vault" }];
  const listener = await listenIde(host, { env, pathMap, resume: false });
  onTestFinished(() => listener.close());
  return { host, listener };
}

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
const info = { name: "test", version: "1" };

test("in WSL: an editor on Windows that publishes for WSL is found as one of its own", async () => {
  const fixture = openFixture();
  const { host, listener } = await serveWindows(
    fixture.env,
    wslPathMap({ distribution: "Ubuntu" }),
  );
  expect(listener.endpoints[0]?.folders).toEqual(["/mnt/c/Users/Jo/vault"]);
  const cwd = "/mnt/c/Users/Jo/vault/deep";
  const env = { ...fixture.env, WSL_DISTRO_NAME: "Ubuntu" };
  const ide = await connectIde({ ...info, cwd, env, reconnect: false });
  onTestFinished(() => ide.close());
  const received = new Promise((resolve) => ide.on("selection", resolve));
  host.setSelection({
    path: posixPath(`${windowsHome}/Ü b.md`),
    ranges: [{ ...range, text: "x" }],
    primary: 0,
  });
  expect(await received).toMatchObject({ filePath: "/mnt/c/Users/Jo/vault/Ü b.md" });
});

test("in WSL: the lock file of a Windows-only editor is read as the CLI reads it", async () => {
  const fixture = openFixture();
  const same = createPathMap([{ host: "C:\\", agent: "C:\\" }]);
  const { host, listener } = await serveWindows(fixture.env, same);
  const [{ lockFile = "" } = {}] = listener.endpoints;
  expect(JSON.parse(readFileSync(lockFile, "utf8"))).toMatchObject({
    workspaceFolders: ["C:\\Users\\Jo\\vault"],
    runningInWindows: true,
  });
  const cwd = "/mnt/c/Users/Jo/vault";
  expect((await findEditors({ cwd, env: fixture.env })).editors).toEqual([]);
  const env = { ...fixture.env, WSL_DISTRO_NAME: "Ubuntu" };
  const ide = await connectIde({ ...info, cwd, env, reconnect: false });
  onTestFinished(() => ide.close());
  const received = new Promise((resolve) => ide.on("mention", resolve));
  const answer = ide.openDiff({ filePath: `${cwd}/a.md`, newText: "new" });
  await expect.poll(() => host.shownDiffs).toHaveLength(1);
  expect(host.shownDiffs[0]?.path).toBe(`${windowsHome}/a.md`);
  host.answerDiff(host.shownDiffs[0]?.id ?? "", { kind: "accepted", text: "new" });
  expect(await answer).toMatchObject({ kind: "accepted" });
  host.mention({ path: posixPath(`${windowsHome}/a.md`) });
  expect(await received).toEqual({ filePath: `${cwd}/a.md` });
  host.setDiagnostics([
    {
      path: posixPath(`${windowsHome}/a.md`),
      diagnostics: [{ message: "no", severity: "error", range }],
    },
  ]);
  expect(await ide.getDiagnostics(`${cwd}/a.md`)).toMatchObject([{ filePath: `${cwd}/a.md` }]);
});

test("list, doctor, call and tail take the map from the agent's side", async () => {
  const agent = openFixture();
  const editor = openFixture();
  editor.file("plan.md", "# Plan\n");
  const served = new CliRun(editor, { args: ["serve", "--script"] });
  await served.event("listening");
  mkdirSync(join(agent.home, ".claude"));
  symlinkSync(editor.lockFolder, agent.lockFolder);
  const rule = ["--path-map", `${editor.workspace}=${agent.workspace}`];
  const run = async (...args: readonly string[]) => {
    const cli = new CliRun(agent, { args });
    return { code: await cli.exited, output: cli.output };
  };
  expect((await run("list")).output).toContain("not for this folder");
  expect((await run("list", ...rule)).output).toContain("for this folder\n");
  expect((await run("doctor")).code).toBe(1);
  expect(await run("doctor", ...rule)).toMatchObject({ code: 0 });
  const filePath = join(agent.workspace, "plan.md");
  const call = await run("call", "openFile", JSON.stringify({ filePath }), ...rule);
  expect(call).toMatchObject({ code: 0 });
  const tail = new CliRun(agent, { args: ["tail", "--json", ...rule] });
  await tail.event("connected");
  served.type({ do: "mention", path: "plan.md" });
  expect(await tail.event("mention")).toMatchObject({ filePath });
});

test("a map that covers no folder, or cannot be read, is refused before anything listens", async () => {
  const fixture = openFixture();
  const run = async (...rules: readonly string[]) => {
    const args = ["serve", ...rules.flatMap((rule) => ["--path-map", rule])];
    const cli = new CliRun(fixture, { args });
    return { code: await cli.exited, errors: cli.errors };
  };
  const covered = await run("/elsewhere=/workspace");
  expect(covered.code).toBe(1);
  expect(covered.errors).toContain(`covers none of its folders (${fixture.workspace})`);
  const broken = await run("workspace");
  expect(broken.code).toBe(2);
  expect(broken.errors).toContain('expected /host/folder=/agent/folder, got "workspace"');
  for (const rules of [
    ["wsl:Arch", ".=/workspace"],
    [".=/workspace", "wsl"],
    ["wsl", "wsl:Arch"],
  ]) {
    const mixed = await run(...rules);
    expect(mixed.code).toBe(2);
    expect(mixed.errors).toContain(
      "wsl:<name> is a complete map: it cannot be combined with other rules.",
    );
  }
  expect(readdirSync(fixture.home)).toEqual([]);
});
