import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseTrace, type TraceEvent } from "@idewire/devtools/trace";
import { expect, onTestFinished, test } from "vitest";
import { AgentContext, DEAD_PID } from "../../../../../tests/src/agent-context.ts";
import {
  beginInspect,
  closeOf,
  eventsOf,
  openAgent,
  readLock,
  tokenHeader,
} from "../../../../../tests/src/inspect-context.ts";
import { ClaudeClient } from "../../../../../tests/src/reference-clients/claude-client.ts";
import { startClaude, startOpencode } from "../../../../../tests/src/reference-clients/context.ts";
import { TIMEOUT_MS, until } from "../../../../../tests/src/reference-clients/transcript.ts";
import { silentPort } from "../../../../../tests/src/silent-port.ts";

test("an agent that finds the inspection in place of its editor works as with the editor", async () => {
  const context = new AgentContext();
  const { host, lockFile: ideLock, port: idePort } = await context.serve();
  const before = readFileSync(ideLock);
  const { run, port, lockFile } = await beginInspect(context, "--record", "day.jsonl");
  expect(readLock(lockFile)).toMatchObject({
    ...{ ideName: "Fake Editor (inspected)", workspaceFolders: [context.folder] },
    ...{ pid: process.pid, transport: "ws", generator: "idewire", inspects: idePort },
  });
  expect(statSync(lockFile).mode & 0o777).toBe(0o600);
  const client = await ClaudeClient.start({
    ...{
      cwd: context.folder,
      pollMs: 20,
      pollForMs: TIMEOUT_MS,
      retryFactor: 0.25,
      lenient: true,
    },
    env: { HOME: context.fixture.home, CLAUDE_CODE_SSE_PORT: String(port) },
  });
  onTestFinished(() => client.exit());
  await client.untilReady();
  const file = context.fixture.file("a.txt", "old\n");
  const edit = client.edit(file, "new\n");
  const shown = await until("the diff", () => host.shownDiffs[0]);
  host.answerDiff(shown.id, { kind: "accepted", text: "newer\n" });
  expect(await edit.result).toMatchObject({ decision: "accepted", modifiedByUser: true });
  expect(readFileSync(file, "utf8")).toBe("newer\n");
  expect(client.violations).toEqual([]);
  await run.event("frame", { dir: "agent>ide", kind: "request", tool: "openDiff" });
  await run.event("frame", { dir: "ide>agent", kind: "result", tool: "openDiff" });
  await client.exit();
  await run.event("close", { code: 1005 });
  run.signal("SIGINT");
  expect(await run.exited).toBe(130);
  expect(existsSync(lockFile)).toBe(false);
  expect(readFileSync(ideLock).equals(before)).toBe(true);
  const trace = parseTrace(readFileSync(join(context.folder, "day.jsonl"), "utf8"));
  if (!trace.ok) throw new Error(trace.issue);
  expect(trace.value.header).toMatchObject({ ide: "Fake Editor" });
  expect(methodsOf(trace.value.events)).toEqual(
    expect.arrayContaining(["initialize", "notifications/initialized", "ide_connected"]),
  );
});

test("without the variable opencode connects to the inspection, and Claude Code to neither", async () => {
  const context = new AgentContext();
  const { listener } = await context.serve();
  const { run } = await beginInspect(context);
  const opencode = startOpencode(context.fixture);
  await opencode.untilReady();
  await run.event("frame", { method: "initialize", kind: "request" });
  expect(opencode.violations).toEqual([]);
  expect(listener.sessions.size).toBe(1);
  const claude = await startClaude(context.fixture, { pollForMs: 60 });
  const searching = ["searching", "connecting", "new"];
  await claude.until("the end of the search", () => !searching.includes(claude.state));
  expect(claude.state).not.toBe("ready");
  expect((await claude.listIdes()).map(({ ideName }) => ideName).sort()).toEqual([
    "Fake Editor",
    "Fake Editor (inspected)",
  ]);
});

test("a check of the editor connects to the editor, not to its proxy", async () => {
  const context = new AgentContext();
  const { port } = await context.serve();
  const { run } = await beginInspect(context);
  const { output } = await context.run("check");
  expect(output).toContain(`port ${port}`);
  expect(eventsOf(run, "control")).toEqual([]);
});

function methodsOf(events: readonly TraceEvent[]): readonly unknown[] {
  return events.flatMap((event) =>
    event.ev === "frame" ? [(JSON.parse(event.raw) as { method?: string }).method] : [],
  );
}

test("an editor that closes is reported, and found again elsewhere when the next agent connects", async () => {
  const context = new AgentContext();
  const first = await context.serve();
  const begun = await beginInspect(context);
  await first.listener.close();
  const refused = await new Promise((resolve) => {
    openAgent(begun).on("unexpected-response", (_, { statusCode }) => resolve(statusCode));
  });
  expect(refused).toBe(502);
  await until("the notice", () => begun.run.output.includes("does not answer on port"));
  const second = await context.serve();
  const socket = openAgent({ ...begun }, { headers: tokenHeader(begun.token) });
  await until("the new port", () => begun.run.output.includes(`on port ${second.port} now`));
  socket.terminate();
});

test("of several editors the best is chosen, with the reason and the option for another; --port overrides it", async () => {
  const context = new AgentContext();
  const inner = join(context.folder, "inner");
  mkdirSync(inner);
  const [outer, deep] = [await context.serve(), await context.serve(inner)];
  const run = context.start("inspect", "inner", "--json");
  const facts = await run.event("inspecting");
  expect(facts).toMatchObject({
    editor: { port: deep.port },
    why: expect.stringContaining("the longest"),
    others: [{ port: outer.port }],
    env: { CLAUDE_CODE_SSE_PORT: String(facts["port"]) },
  });
  const named = context.start("inspect", "inner", "--json", "--port", String(outer.port));
  expect(await named.event("inspecting")).toMatchObject({
    editor: { port: outer.port },
    why: "its port was requested",
  });
  const byLock = context.start("inspect", "--json", "--lock", deep.lockFile);
  expect(await byLock.event("inspecting")).toMatchObject({
    editor: { port: deep.port },
    why: "its lock file was named",
  });
  const people = context.start("inspect", "inner");
  const words = await people.shows("CLAUDE_CODE_SSE_PORT=");
  expect(words).toContain(`is a proxy of Fake Editor on port ${deep.port}`);
  expect(words).toContain(`for that, --port ${outer.port}`);
});

test("without a running editor it lists what it skipped, and exits with 1", async () => {
  const context = new AgentContext();
  const none = await context.run("inspect");
  expect([none.code, none.errors]).toEqual([1, expect.stringContaining("There is no lock file")]);
  context.lock(4001, { pid: DEAD_PID });
  const stale = await context.run("inspect");
  expect([stale.code, stale.errors]).toEqual([1, expect.stringContaining("is no longer running")]);
  const port = await context.run("inspect", "--port", "4001");
  expect([port.code, port.errors]).toEqual([1, expect.stringContaining("on port 4001: process")]);
  const lock = await context.run("inspect", "--lock", "nothing.lock");
  expect([lock.code, lock.errors]).toEqual([1, expect.stringContaining("nothing.lock")]);
  const both = await context.run("inspect", "--port", "1", "--lock", "x");
  expect(both.code).toBe(2);
  const agent = await context.run("inspect", "--as-agent", "--listen-port", "0");
  expect(agent.code).toBe(2);
});

test("an inspection never proxies another one, and list identifies it", async () => {
  const context = new AgentContext();
  const { port: idePort } = await context.serve();
  const first = await beginInspect(context);
  const second = await beginInspect(context);
  expect(await second.run.event("inspecting")).toMatchObject({ editor: { port: idePort } });
  const { output } = await context.run("list");
  expect(output).toContain(`a proxy of the editor on port ${idePort}`);
  const { output: received } = await context.run("doctor");
  expect(received).toContain(`CLAUDE_CODE_SSE_PORT=${second.port}`);
  first.run.signal("SIGINT");
  await first.run.exited;
  expect(existsSync(first.lockFile)).toBe(false);
});

test("an occupied port is reported", async () => {
  const context = new AgentContext();
  const { port } = await context.serve();
  const taken = await context.run("inspect", "--listen-port", String(port));
  expect([taken.code, taken.errors]).toEqual([1, expect.stringContaining(`Port ${port}`)]);
  const free = await silentPort();
  const run = context.start("inspect", "--json", "--listen-port", String(free));
  expect(await run.event("inspecting")).toMatchObject({ port: free });
});

test("an inspection closes both ends with 1001 when it ends", async () => {
  const context = new AgentContext();
  const { listener } = await context.serve();
  const { run, port, token } = await beginInspect(context);
  const socket = openAgent({ port, token });
  await once(socket, "open");
  await until("the session", () => listener.sessions.size === 1);
  const received = closeOf(socket);
  run.signal("SIGINT");
  expect(await received).toEqual([1001, "idewire inspect has stopped"]);
  await until("the session has gone", () => listener.sessions.size === 0);
  expect(await run.exited).toBe(130);
});

test("as an agent it completes the handshake, records, and reconnects when the editor restarts", async () => {
  const context = new AgentContext();
  const { listener } = await context.serve();
  const run = context.start("inspect", "--as-agent", "--json", "--record", "agent.jsonl");
  expect(await run.event("inspecting")).toMatchObject({ mode: "agent" });
  await run.event("frame", { method: "initialize", kind: "request" });
  await run.event("frame", { method: "tools/list", kind: "result" });
  const [session] = listener.sessions;
  expect(session?.agent?.name).toBe("idewire-inspect");
  const text = () => readFileSync(join(context.folder, "agent.jsonl"), "utf8");
  await until("the recording", () => text().includes("tools/list"));
  await listener.close();
  await run.event("close", { code: 1001 });
  await context.serve();
  await run.event("open", { ch: "c2" });
});
