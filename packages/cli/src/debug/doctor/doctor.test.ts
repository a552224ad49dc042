import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { claudeCode, copilot, gemini, qwen } from "@idewire/core";
import { assessContainer, containerMarks } from "@idewire/node-server/internal";
import { expect, onTestFinished, test } from "vitest";
import {
  AgentContext,
  DEAD_PID,
  openWebServer,
  rewriteLock,
} from "../../../../../tests/src/agent-context.ts";
import { examine } from "../../../../../tests/src/doctor-report.ts";
import { openProxy } from "../../../../../tests/src/dropping-proxy.ts";
import { silentPort } from "../../../../../tests/src/silent-port.ts";

// Twelve realistic faults, with real files and sockets: the doctor names each.

/** A program on the PATH of the commands. */
function install({ programs }: AgentContext, ...names: readonly string[]): void {
  for (const name of names)
    writeFileSync(join(programs, name), "#!/bin/sh\necho 2.1.332\n", { mode: 0o755 });
}

const families = { dialects: [claudeCode, gemini, qwen] };
/** Over SSH, Gemini CLI does not assume that it runs in a container. */
const overSsh = { SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" };

// "`idewire doctor` in its terminal reports why" (docs/clients/gemini-cli.md, With idewire).
test("each agent on the PATH has a section: its file, a handshake, and what only it can turn on", async () => {
  const context = new AgentContext();
  install(context, "gemini", "qwen");
  await context.serve(context.folder, families);
  const { outcomes, steps } = await examine(context, overSsh);
  const details = Object.fromEntries(steps.map(({ id, detail }) => [id, detail]));
  expect(outcomes).toMatchObject({ "agent-gemini": "ok", "agent-qwen": "ok", client: "warning" });
  const words = /^Fake Editor 1\.0\.0, MCP .*, 2 tools; type \/ide enable once in it$/;
  expect(details["agent-gemini"]).toMatch(words);
  expect(details["agent-qwen"]).toMatch(words);
  expect(details["client"]).toBe("Claude Code was not found on the PATH");
  expect(outcomes).not.toHaveProperty("agent-codex");
});

test("an agent's step reports another TMPDIR, a family that is not served, and a file that others may read", async () => {
  const context = new AgentContext();
  install(context, "claude", "gemini", "qwen");
  const { listener } = await context.serve(context.folder, { dialects: [claudeCode, gemini] });
  const elsewhere = await examine(context, { ...overSsh, TMPDIR: context.fixture.root });
  const step = (report: typeof elsewhere, id: string) =>
    report.steps.find((each) => each.id === id);
  expect(step(elsewhere, "agent-gemini")).toMatchObject({
    outcome: "warning",
    detail: `no editor for this folder in ${join(context.fixture.root, "gemini", "ide")}`,
  });
  expect(step(elsewhere, "agent-gemini")?.advice?.join()).toContain("the same HOME and TMPDIR");
  const here = await examine(context, overSsh);
  expect(step(here, "agent-qwen")?.advice?.join()).toContain("--dialect qwen");
  const file = listener.endpoints.find(({ dialect }) => dialect === "gemini")?.lockFile ?? "";
  chmodSync(file, 0o644);
  expect(step(await examine(context, overSsh), "agent-gemini")).toMatchObject({
    outcome: "warning",
    advice: [`See or change that: chmod 600 ${file}`],
  });
});

test("an agent whose editor refuses the token fails, with the file", async () => {
  const context = new AgentContext();
  install(context, "claude", "gemini");
  const { listener } = await context.serve(context.folder, families);
  const file = listener.endpoints.find(({ dialect }) => dialect === "gemini")?.lockFile ?? "";
  rewriteLock(file, { authToken: "x".repeat(86) });
  const { fault, detail } = await examine(context, overSsh);
  expect(fault).toBe("agent-gemini");
  expect(detail).toContain(file);
});

// "`idewire doctor` does its handshake at the socket" (docs/clients/copilot-cli.md, With idewire).
test("an agent that connects to a socket has its handshake there, and fails where there is none", async () => {
  const context = new AgentContext();
  install(context, "claude", "copilot");
  const { listener } = await context.serve(context.folder, { dialects: [claudeCode, copilot] });
  const { lockFile: file = "" } =
    listener.endpoints.find(({ dialect }) => dialect === "copilot") ?? {};
  const fine = await examine(context, overSsh);
  const step = fine.steps.find(({ id }) => id === "agent-copilot");
  expect(step).toMatchObject({ outcome: "ok", title: "Copilot CLI" });
  expect(step?.detail).toMatch(/^Fake Editor 1\.0\.0, MCP 2025-11-25, \d tools$/);
  expect(listener.sessions.size).toBe(0);
  rewriteLock(file, { headers: { Authorization: "Nonce of-another-run" } });
  const refused = await examine(context, overSsh);
  expect(refused.fault).toBe("agent-copilot");
  expect(refused.detail).toMatch(/\.lock: The editor at .*\.sock refuses the token \(401\)$/);
  expect(JSON.stringify(refused.steps)).not.toContain("of-another-run");
  rewriteLock(file, { socketPath: join(context.fixture.root, "none.sock") });
  const { fault, detail } = await examine(context, overSsh);
  expect(fault).toBe("agent-copilot");
  expect(detail).toContain("nothing answers at");
});

test("in a container a warning names an agent that connects to another host, except over SSH", () => {
  const { agent } = gemini;
  const [mark = ""] = containerMarks;
  expect(assessContainer(agent, {}, [mark])).toMatchObject({ host: "host.docker.internal" });
  expect(assessContainer(agent, {}, [])).toBe(undefined);
  expect(assessContainer(agent, { SSH_CONNECTION: "1" }, [mark])).toBe(undefined);
  expect(assessContainer(qwen.agent, {}, [mark])).toBe(undefined);
});

// "If it does not connect, `idewire doctor` says why" (docs/clients/claude-code.md, With idewire).
test("without a fault every step is ok, and the rules of the agents follow", async () => {
  const context = new AgentContext();
  install(context, "claude");
  const { port, lockFile } = await context.serve();
  const { ok, outcomes, steps } = await examine(context);
  expect(ok).toBe(true);
  expect(new Set(Object.values(outcomes))).toEqual(new Set(["ok"]));
  expect(steps.find(({ id }) => id === "handshake")?.detail).toMatch(/^Fake Editor 1\.0\.0, MCP /);
  const { code, output } = await context.run("doctor");
  expect(code).toBe(0);
  expect(output).toContain(`✓ for this folder   ${lockFile}\n`);
  expect(output).toContain(`✓ port              port ${port} of 127.0.0.1\n`);
  expect(output).toContain("looks for editors in its first 30 seconds only");
  expect(output).not.toContain("✗");
  const { authToken } = JSON.parse(readFileSync(lockFile, "utf8")) as { authToken: string };
  expect(output + JSON.stringify(steps)).not.toContain(authToken);
});

test("dead pid", async () => {
  const context = new AgentContext();
  const path = context.lock(4001, { pid: DEAD_PID });
  const { fault, detail, advice, outcomes } = await examine(context);
  expect(fault).toBe("process");
  expect(detail).toBe(`process ${DEAD_PID} is no longer running (${path})`);
  expect(advice).toContain("Start the editor again");
  expect(outcomes).toMatchObject({ match: "ok", only: "skipped", handshake: "skipped" });
});

test("two lock files: one port does not answer, though its process is running", async () => {
  const context = new AgentContext();
  await context.serve();
  const left = context.lock(await silentPort());
  const { fault, advice } = await examine(context);
  expect(fault).toBe("only");
  expect(advice).toContain(`Process ${process.pid} is running, but its port does not answer`);
  expect(advice).toContain(`rm ${left}`);
  expect(advice).toContain("exactly one lock file");
});

test("two lock files: another program uses the port of a dead editor, without advice to close it", async () => {
  const context = new AgentContext();
  await context.serve();
  const port = await openWebServer();
  const left = context.lock(port);
  const { fault, advice } = await examine(context);
  expect(fault).toBe("only");
  expect(advice).toContain(`Another program uses port ${port}`);
  expect(advice).toContain(`rm ${left}`);
  expect(advice).not.toMatch(/close/i);
});

test("the lock file of a dead idewire whose pid was reused: the other editor is found", async () => {
  const context = new AgentContext();
  await context.serve();
  context.lock(await silentPort(), { generator: "idewire", started: "another boot 1" });
  expect((await examine(context)).outcomes).toMatchObject({ process: "ok", only: "ok" });
});

test("symlinked folder", async () => {
  const context = new AgentContext();
  const link = join(context.fixture.root, "link");
  symlinkSync(context.folder, link);
  const { lockFile } = await context.serve();
  rewriteLock(lockFile, { workspaceFolders: [link] });
  const { fault, detail, advice } = await examine(context);
  expect(fault).toBe("match");
  expect(detail).toBe(`${link} is a link to ${context.folder}, and agents compare real paths`);
  expect(advice).toContain(`Open the real folder in the editor: ${context.folder}`);
});

test("port taken: by a web server, or by a program without HTTP", async () => {
  const context = new AgentContext();
  const port = await openWebServer();
  context.lock(port);
  const web = await examine(context);
  expect([web.fault, web.outcomes["port"]]).toEqual(["upgrade", "ok"]);
  expect(web.detail).toBe(
    `another program uses port ${port}: the answer is not an editor's (HTTP 200)`,
  );
  expect(web.advice).toContain(`lsof -iTCP:${port} -sTCP:LISTEN`);

  const other = new AgentContext();
  const server = createServer((socket) => socket.end("220 mail ready\r\n"));
  server.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  other.lock((server.address() as AddressInfo).port);
  const mail = await examine(other);
  expect(mail.fault).toBe("upgrade");
  expect(mail.detail).toContain("another program uses port");
});

test("wrong token, and missing token", async () => {
  const context = new AgentContext();
  const { lockFile, port } = await context.serve();
  rewriteLock(lockFile, { authToken: "of-another-run" });
  const { fault, detail, advice } = await examine(context);
  expect(fault).toBe("handshake");
  expect(detail).toContain(`the token is wrong: The editor on port ${port} closed with 1008`);
  expect(detail + advice).not.toContain("of-another-run");
  expect(advice).toContain("Running agents still use the first token");
  rewriteLock(lockFile, { authToken: undefined });
  expect((await examine(context)).detail).toContain("the lock file has no token");
});

test("proxy in between: one that refuses, and one that drops the token", async () => {
  const refusing = new AgentContext();
  refusing.lock(await openWebServer(502, { Via: "1.1 corporate" }));
  const refused = await examine(refusing);
  expect(refused.fault).toBe("upgrade");
  expect(refused.detail).toBe("a proxy answers instead of the editor (via: 1.1 corporate)");

  const dropping = new AgentContext();
  const { port, lockFile } = await dropping.serve();
  const { authToken } = JSON.parse(readFileSync(lockFile, "utf8")) as { authToken: string };
  rewriteLock(lockFile, { workspaceFolders: [] });
  dropping.lock(await openProxy(port), { authToken });
  const dropped = await examine(dropping);
  expect([dropped.fault, dropped.outcomes["port"]]).toEqual(["upgrade", "ok"]);
  expect(dropped.detail).toContain("a proxy answers instead of the editor (via: 1.1 squid)");
  expect(dropped.advice).toContain("CLAUDE_CODE_IDE_HOST_OVERRIDE");
});

test("read-only directory", async () => {
  const context = new AgentContext();
  const directory = context.fixture.lockFolder;
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o500);
  onTestFinished(() => chmodSync(directory, 0o700));
  const { fault, detail, advice } = await examine(context);
  expect(fault).toBe("directory");
  expect(detail).toBe(
    `${directory} is read-only (mode 500): no editor can write a lock file there`,
  );
  expect(advice).toContain(`chmod 700 ${directory}`);
});

test("second editor: one for the folder above serves this one too", async () => {
  const context = new AgentContext();
  const inner = await context.serve();
  const outer = await context.serve(context.fixture.root);
  const { fault, detail, advice } = await examine(context);
  expect(fault).toBe("only");
  expect(detail).toContain("2 editors are for this folder: ");
  for (const { port } of [inner, outer]) expect(detail).toContain(`Fake Editor on port ${port} (`);
  expect(detail).toContain(`(${context.fixture.root}, process`);
  expect(detail).toMatch(/Claude Code connects to none of them on its own$/);
  expect(advice).toContain(`CLAUDE_CODE_SSE_PORT=${inner.port} claude`);
  const chosen = await examine(context, { CLAUDE_CODE_SSE_PORT: String(outer.port) });
  expect(chosen.ok).toBe(true);
});

test("stale resume file: its pid and its port belong to other programs", async () => {
  const context = new AgentContext();
  const { host, listener } = await context.serve(context.folder, { resume: true });
  await listener.close();
  const state = join(context.fixture.home, ".local", "state", "idewire");
  const [name = ""] = readdirSync(state);
  const file = join(state, name);
  const port = await openWebServer();
  const record = JSON.parse(readFileSync(file, "utf8")) as {
    readonly endpoints: Readonly<Record<string, object>>;
  };
  const endpoints = { "claude-code": { ...record.endpoints["claude-code"], port } };
  writeFileSync(file, JSON.stringify({ ...record, pid: process.pid, endpoints }));
  const { fault, detail, advice } = await examine(context);
  expect(fault).toBe("resume");
  expect(detail).toContain(`${file} says that process ${process.pid} serves ${context.folder}`);
  expect(advice).toContain("remove that file: it prevents idewire from starting");
  // The failure that the doctor predicts.
  await expect(context.serve(context.folder, { resume: true, host })).rejects.toThrow(
    "served already",
  );
  writeFileSync(file, JSON.stringify({ ...record, endpoints }));
  expect((await examine(context)).outcomes["resume"]).toBe("warning");
});

test("wrong folder", async () => {
  const context = new AgentContext();
  const elsewhere = join(context.fixture.root, "elsewhere");
  mkdirSync(elsewhere);
  await context.serve(elsewhere);
  const { fault, detail, advice } = await examine(context);
  expect(fault).toBe("match");
  expect(detail).toBe(`no editor is for ${context.folder}; they are for ${elsewhere}`);
  expect(advice).toContain("Start the agent in one of these folders");
});

test("old client", async () => {
  const context = new AgentContext();
  await context.serve();
  const claude = join(context.programs, "claude");
  writeFileSync(claude, "#!/bin/sh\necho '1.0.128 (Claude Code)'\n", { mode: 0o755 });
  const { fault, detail, advice } = await examine(context);
  expect(fault).toBe("client");
  expect(detail).toContain("version 1.0.128 is too old");
  expect(advice).toContain("claude update");
  writeFileSync(claude, "#!/bin/sh\necho '2.1.330 (Claude Code)'\n");
  expect((await examine(context)).steps.find(({ id }) => id === "client")?.detail).toBe("2.1.330");
});

test("nothing listening", async () => {
  const context = new AgentContext();
  const port = await silentPort();
  const path = context.lock(port);
  const { fault, detail, advice } = await examine(context);
  expect(fault).toBe("port");
  expect(detail).toBe(`nothing listens on port ${port} of 127.0.0.1 (ECONNREFUSED)`);
  expect(advice).toContain(path);
});
