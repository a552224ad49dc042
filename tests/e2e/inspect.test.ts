import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseTrace, type TraceEvent } from "@idewire/devtools/trace";
import { expect, onTestFinished, test } from "vitest";
import { AgentScene, DEAD_PID } from "../src/agent-scene.ts";
import {
  beginInspect,
  closeOf,
  eventsOf,
  openAgent,
  readLock,
  tokenHeader,
} from "../src/inspect-scene.ts";
import { silentPort } from "../src/silent-port.ts";
import { ClaudeTwin } from "../src/twins/claude-twin.ts";
import { startClaude, startOpencode } from "../src/twins/scene.ts";
import { PATIENCE_MS, until } from "../src/twins/transcript.ts";

test("an agent that takes the inspection for its editor works as with the editor itself", async () => {
  const scene = new AgentScene();
  const { host, lockFile: ideLock, port: idePort } = await scene.serve();
  const before = readFileSync(ideLock);
  const { run, port, lockFile } = await beginInspect(scene, "--record", "day.jsonl");
  expect(readLock(lockFile)).toMatchObject({
    ...{ ideName: "Fake Editor (inspected)", workspaceFolders: [scene.folder] },
    ...{ pid: process.pid, transport: "ws", generator: "idewire", inspects: idePort },
  });
  expect(statSync(lockFile).mode & 0o777).toBe(0o600);
  const twin = await ClaudeTwin.start({
    ...{ cwd: scene.folder, pollMs: 20, pollForMs: PATIENCE_MS, retryFactor: 0.25, lenient: true },
    env: { HOME: scene.stage.home, CLAUDE_CODE_SSE_PORT: String(port) },
  });
  onTestFinished(() => twin.exit());
  await twin.untilReady();
  const file = scene.stage.file("a.txt", "old\n");
  const edit = twin.edit(file, "new\n");
  const shown = await until("the diff", () => host.shownDiffs[0]);
  host.answerDiff(shown.id, { kind: "accepted", text: "newer\n" });
  expect(await edit.result).toMatchObject({ decision: "accepted", modifiedByUser: true });
  expect(readFileSync(file, "utf8")).toBe("newer\n");
  expect(twin.violations).toEqual([]);
  await run.event("frame", { dir: "agent>ide", kind: "request", tool: "openDiff" });
  await run.event("frame", { dir: "ide>agent", kind: "result", tool: "openDiff" });
  await twin.exit();
  await run.event("close", { code: 1005 });
  run.signal("SIGINT");
  expect(await run.exited).toBe(130);
  expect(existsSync(lockFile)).toBe(false);
  expect(readFileSync(ideLock).equals(before)).toBe(true);
  const trace = parseTrace(readFileSync(join(scene.folder, "day.jsonl"), "utf8"));
  if (!trace.ok) throw new Error(trace.issue);
  expect(trace.value.header).toMatchObject({ ide: "Fake Editor" });
  expect(methodsOf(trace.value.events)).toEqual(
    expect.arrayContaining(["initialize", "notifications/initialized", "ide_connected"]),
  );
});

test("without the variable opencode comes to the inspection, and Claude Code to neither", async () => {
  const scene = new AgentScene();
  const { listener } = await scene.serve();
  const { run } = await beginInspect(scene);
  const opencode = startOpencode(scene.stage);
  await opencode.untilReady();
  await run.event("frame", { method: "initialize", kind: "request" });
  expect(opencode.violations).toEqual([]);
  expect(listener.sessions.size).toBe(1);
  const claude = await startClaude(scene.stage, { pollForMs: 60 });
  const searching = ["searching", "connecting", "new"];
  await claude.until("the end of the search", () => !searching.includes(claude.state));
  expect(claude.state).not.toBe("ready");
  expect((await claude.listIdes()).map(({ ideName }) => ideName).sort()).toEqual([
    "Fake Editor",
    "Fake Editor (inspected)",
  ]);
});

test("a check of the editor asks the editor, and not who stands in front of it", async () => {
  const scene = new AgentScene();
  const { port } = await scene.serve();
  const { run } = await beginInspect(scene);
  const { output } = await scene.run("check");
  expect(output).toContain(`port ${port}`);
  expect(eventsOf(run, "control")).toEqual([]);
});

function methodsOf(events: readonly TraceEvent[]): readonly unknown[] {
  return events.flatMap((event) =>
    event.ev === "frame" ? [(JSON.parse(event.raw) as { method?: string }).method] : [],
  );
}

test("an editor that has gone is said, and found again elsewhere when the next agent comes", async () => {
  const scene = new AgentScene();
  const first = await scene.serve();
  const begun = await beginInspect(scene);
  await first.listener.close();
  const refused = await new Promise((resolve) => {
    openAgent(begun).on("unexpected-response", (_, { statusCode }) => resolve(statusCode));
  });
  expect(refused).toBe(502);
  await until("the notice", () => begun.run.output.includes("does not answer on port"));
  const second = await scene.serve();
  const socket = openAgent({ ...begun }, { headers: tokenHeader(begun.token) });
  await until("the new port", () => begun.run.output.includes(`on port ${second.port} now`));
  socket.terminate();
});

test("of several editors the best is taken, why and how to take another is said, and --port does", async () => {
  const scene = new AgentScene();
  const inner = join(scene.folder, "inner");
  mkdirSync(inner);
  const [outer, deep] = [await scene.serve(), await scene.serve(inner)];
  const run = scene.start("inspect", "inner", "--json");
  const facts = await run.event("inspecting");
  expect(facts).toMatchObject({
    editor: { port: deep.port },
    why: expect.stringContaining("the longest"),
    others: [{ port: outer.port }],
    env: { CLAUDE_CODE_SSE_PORT: String(facts["port"]) },
  });
  const named = scene.start("inspect", "inner", "--json", "--port", String(outer.port));
  expect(await named.event("inspecting")).toMatchObject({
    editor: { port: outer.port },
    why: "its port was asked for",
  });
  const byLock = scene.start("inspect", "--json", "--lock", deep.lockFile);
  expect(await byLock.event("inspecting")).toMatchObject({
    editor: { port: deep.port },
    why: "its lock file was named",
  });
  const people = scene.start("inspect", "inner");
  const words = await people.shows("CLAUDE_CODE_SSE_PORT=");
  expect(words).toContain(`stands in front of Fake Editor on port ${deep.port}`);
  expect(words).toContain(`for that, --port ${outer.port}`);
});

test("without an editor that lives it says what it passed over, and exits with 1", async () => {
  const scene = new AgentScene();
  const none = await scene.run("inspect");
  expect([none.code, none.errors]).toEqual([1, expect.stringContaining("There is no lock file")]);
  scene.lock(4001, { pid: DEAD_PID });
  const stale = await scene.run("inspect");
  expect([stale.code, stale.errors]).toEqual([1, expect.stringContaining("does not run any more")]);
  const port = await scene.run("inspect", "--port", "4001");
  expect([port.code, port.errors]).toEqual([1, expect.stringContaining("on port 4001: process")]);
  const lock = await scene.run("inspect", "--lock", "nothing.lock");
  expect([lock.code, lock.errors]).toEqual([1, expect.stringContaining("nothing.lock")]);
  const both = await scene.run("inspect", "--port", "1", "--lock", "x");
  expect(both.code).toBe(2);
  const agent = await scene.run("inspect", "--as-agent", "--listen-port", "0");
  expect(agent.code).toBe(2);
});

test("an inspection never stands in front of another, and list says what it is", async () => {
  const scene = new AgentScene();
  const { port: idePort } = await scene.serve();
  const first = await beginInspect(scene);
  const second = await beginInspect(scene);
  expect(await second.run.event("inspecting")).toMatchObject({ editor: { port: idePort } });
  const { output } = await scene.run("list");
  expect(output).toContain(`stands in front of the editor on port ${idePort}`);
  const { output: told } = await scene.run("doctor");
  expect(told).toContain(`CLAUDE_CODE_SSE_PORT=${second.port}`);
  first.run.signal("SIGINT");
  await first.run.exited;
  expect(existsSync(first.lockFile)).toBe(false);
});

test("a port that is taken is said", async () => {
  const scene = new AgentScene();
  const { port } = await scene.serve();
  const taken = await scene.run("inspect", "--listen-port", String(port));
  expect([taken.code, taken.errors]).toEqual([1, expect.stringContaining(`port ${port}`)]);
  const free = await silentPort();
  const run = scene.start("inspect", "--json", "--listen-port", String(free));
  expect(await run.event("inspecting")).toMatchObject({ port: free });
});

test("the end of an inspection is told to both ends, with 1001", async () => {
  const scene = new AgentScene();
  const { listener } = await scene.serve();
  const { run, port, token } = await beginInspect(scene);
  const socket = openAgent({ port, token });
  await once(socket, "open");
  await until("the session", () => listener.sessions.size === 1);
  const heard = closeOf(socket);
  run.signal("SIGINT");
  expect(await heard).toEqual([1001, "idewire inspect has ended"]);
  await until("the session has gone", () => listener.sessions.size === 0);
  expect(await run.exited).toBe(130);
});

test("as an agent it shakes hands, records, and comes back when the editor does", async () => {
  const scene = new AgentScene();
  const { listener } = await scene.serve();
  const run = scene.start("inspect", "--as-agent", "--json", "--record", "agent.jsonl");
  expect(await run.event("inspecting")).toMatchObject({ mode: "agent" });
  await run.event("frame", { method: "initialize", kind: "request" });
  await run.event("frame", { method: "tools/list", kind: "result" });
  const [session] = listener.sessions;
  expect(session?.agent?.name).toBe("idewire-inspect");
  const text = () => readFileSync(join(scene.folder, "agent.jsonl"), "utf8");
  await until("the recording", () => text().includes("tools/list"));
  await listener.close();
  await run.event("close", { code: 1001 });
  await scene.serve();
  await run.event("open", { ch: "c2" });
});
