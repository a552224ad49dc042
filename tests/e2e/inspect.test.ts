import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { parseTrace, type TraceEvent } from "@idewire/core/trace";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { AgentScene, DEAD_PID, silentPort } from "../src/agent-scene.ts";
import { RawIde } from "../src/hostile/raw-ide.ts";
import type { CliRun } from "../src/in-process-cli.ts";
import { RawSocket } from "../src/raw-frames.ts";
import { ClaudeTwin } from "../src/twins/claude-twin.ts";
import { startClaude, startOpencode } from "../src/twins/scene.ts";
import { until } from "../src/twins/transcript.ts";
import { wireFrame } from "../src/wire-frame.ts";

/** An inspection that has begun. */
interface Begun {
  readonly run: CliRun;
  readonly port: number;
  readonly lockFile: string;
  readonly token: string;
}

async function begin(scene: AgentScene, ...flags: readonly string[]): Promise<Begun> {
  const run = scene.start("inspect", "--json", ...flags);
  const { port, lockFile } = await run.event("inspecting");
  const { authToken } = readLock(String(lockFile));
  return { run, port: Number(port), lockFile: String(lockFile), token: String(authToken) };
}

function readLock(file: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
}

function open(
  { port, token }: Pick<Begun, "port" | "token">,
  options: object = {},
  path = "/",
): WebSocket {
  const headers = { "X-Claude-Code-Ide-Authorization": token };
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, ["mcp"], {
    headers,
    ...options,
  });
  socket.on("error", () => undefined);
  onTestFinished(() => socket.terminate());
  return socket;
}

function closeOf(socket: WebSocket): Promise<readonly [code: number, reason: string]> {
  return new Promise((resolve) => {
    socket.once("close", (code, reason) => resolve([code, reason.toString()]));
  });
}

function eventsOf(run: CliRun, event: string) {
  return run.events.filter((one) => one["event"] === event);
}

test("an agent that takes the inspection for its editor works as with the editor itself", async () => {
  const scene = new AgentScene();
  const { host, lockFile: ideLock, port: idePort } = await scene.serve();
  const before = readFileSync(ideLock);
  const { run, port, lockFile } = await begin(scene, "--record", "day.jsonl");
  expect(readLock(lockFile)).toMatchObject({
    ...{ ideName: "Fake Editor (inspected)", workspaceFolders: [scene.folder] },
    ...{ pid: process.pid, transport: "ws", generator: "idewire", inspects: idePort },
  });
  expect(statSync(lockFile).mode & 0o777).toBe(0o600);
  const twin = await ClaudeTwin.start({
    ...{ cwd: scene.folder, pollMs: 20, pollForMs: 10_000, retryFactor: 0.25 },
    env: { HOME: scene.stage.home, CLAUDE_CODE_SSE_PORT: String(port) },
  });
  onTestFinished(() => twin.exit());
  await twin.untilReady();
  const file = scene.stage.file("a.txt", "old\n");
  const edit = twin.edit(file, "new\n");
  const shown = await until("the diff", () => host.shownDiffs[0]);
  host.answer(shown.id, { kind: "accepted", text: "newer\n", edited: true });
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
  const { run } = await begin(scene);
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
  const { run } = await begin(scene);
  const { output } = await scene.run("check");
  expect(output).toContain(`port ${port}`);
  expect(eventsOf(run, "control")).toEqual([]);
});

function methodsOf(events: readonly TraceEvent[]): readonly unknown[] {
  return events.flatMap((event) =>
    event.ev === "frame" ? [(JSON.parse(event.raw) as { method?: string }).method] : [],
  );
}

test("a request for an upgrade is the agent's own, but for host and token, and so is the answer", async () => {
  const scene = new AgentScene();
  const ide = await RawIde.open(scene);
  const { port, token, run } = await begin(scene);
  const headers = { "X-Odd": "1", ...tokenHeader(token) };
  const socket = open({ port, token }, { headers }, "/any/path?x=1");
  const [answer] = (await once(socket, "upgrade")) as [{ readonly headers: object }];
  expect(answer.headers).toMatchObject({ "x-editor": "raw", "sec-websocket-protocol": "mcp" });
  const { request } = await ide.guest();
  expect(request).toContain("GET /any/path?x=1 HTTP/1.1\r\n");
  expect(`${request}\r\n`).toContain(`\r\nHost: 127.0.0.1:${ide.port}\r\n`);
  expect(request).toContain("\r\nX-Odd: 1");
  expect(request).toContain(`\r\nX-Claude-Code-Ide-Authorization: ${ide.token}`);
  expect(request).toMatch(/\r\nSec-WebSocket-Extensions: permessage-deflate/);
  expect(request).not.toContain(token);
  await run.event("open", { protocol: "mcp" });
});

function tokenHeader(token: string): object {
  return { "X-Claude-Code-Ide-Authorization": token };
}

test("bytes pass unchanged both ways, whatever they are and however they are cut", async () => {
  const scene = new AgentScene();
  const ide = await RawIde.open(scene);
  const { port, token } = await begin(scene);
  const chunk = fc.uint8Array({ minLength: 1, maxLength: 3_000 });
  const proper = fc
    .record({
      opcode: fc.constantFrom(0, 1, 2, 9, 10),
      payload: fc.uint8Array({ maxLength: 100 }),
      isFinal: fc.boolean(),
      mask: fc.option(fc.uint8Array({ minLength: 4, maxLength: 4 }), { nil: undefined }),
    })
    .map(wireFrame);
  const said = fc.array(fc.oneof(chunk, proper), { maxLength: 12 });
  let guests = 0;
  await fc.assert(
    fc.asyncProperty(said, said, async (fromAgent, fromIde) => {
      const agent = await RawSocket.open(port, token);
      const guest = await ide.guest(guests);
      guests += 1;
      await until("the answer", () => agent.received.includes("\r\n\r\n"));
      const start = agent.received.indexOf("\r\n\r\n") + 4;
      for (const bytes of fromAgent) agent.socket.write(bytes);
      for (const bytes of fromIde) guest.socket.write(bytes);
      const [there, back] = [Buffer.concat(fromAgent), Buffer.concat(fromIde)];
      await until("all bytes", () => {
        return (
          guest.received().length >= there.length && agent.received.length - start >= back.length
        );
      });
      expect(guest.received().equals(there)).toBe(true);
      expect(Buffer.from(agent.received.slice(start), "latin1").equals(back)).toBe(true);
      agent.socket.destroy();
      guest.socket.destroy();
    }),
    { numRuns: 25 },
  );
});

test("binary, broken and cut messages, pings and pieces pass, and are shown for what they are", async () => {
  const scene = new AgentScene();
  const ide = await RawIde.open(scene);
  const { run, port, token } = await begin(scene);
  const agent = await RawSocket.open(port, token);
  const { socket } = await ide.guest();
  const mask = Buffer.from([1, 2, 3, 4]);
  const text = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}');
  agent.socket.write(wireFrame({ opcode: 1, payload: text.subarray(0, 7), isFinal: false, mask }));
  agent.socket.write(wireFrame({ opcode: 9, payload: Buffer.from("hi"), mask }));
  agent.socket.write(wireFrame({ opcode: 0, payload: text.subarray(7), mask }));
  expect(await run.event("frame", { method: "ping" })).toMatchObject({ pieces: 2, id: 1 });
  await run.event("control", { op: "ping", dir: "agent>ide" });
  socket.write(wireFrame({ opcode: 2, payload: Buffer.from([0, 255, 1]) }));
  socket.write(wireFrame({ opcode: 1, payload: Buffer.from([0x22, 0xff, 0x22]) }));
  socket.write(wireFrame({ opcode: 1, payload: Buffer.from("not JSON") }));
  expect(await run.event("frame", { form: "binary" })).toMatchObject({ raw: "AP8B" });
  expect(await run.event("frame", { form: "not-utf8" })).toMatchObject({ raw: "Iv8i" });
  await run.event("frame", { raw: "not JSON", kind: "malformed" });
  socket.write(wireFrame({ opcode: 7, payload: Buffer.from("?") }));
  await until("the notice", () => run.output.includes("unknown opcode 7"));
});

test.each([
  ["the agent", 1000, "done"],
  ["the agent", 4321, ""],
  ["the editor", 1001, "The editor has closed"],
  ["the editor", 1008, "no"],
] as const)("when %s closes with %i the other end hears that", async (who, code, reason) => {
  const scene = new AgentScene();
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  onTestFinished(() => server.close());
  await once(server, "listening");
  scene.lock((server.address() as { port: number }).port, { authToken: "secret-of-the-editor" });
  const { run, port, token } = await begin(scene);
  const socket = open({ port, token });
  const [guest] = (await once(server, "connection")) as [WebSocket];
  onTestFinished(() => guest.terminate());
  await until("the agent is in", () => socket.readyState === WebSocket.OPEN);
  const heard = closeOf(who === "the agent" ? guest : socket);
  (who === "the agent" ? socket : guest).close(code, reason);
  expect(await heard).toEqual([code, reason]);
  expect(await run.event("close")).toMatchObject({ ch: "c1", code, reason });
});

test.each(["agent", "editor"])("when the %s is cut off the other end is too", async (who) => {
  const scene = new AgentScene();
  const ide = await RawIde.open(scene);
  const { run, port, token } = await begin(scene);
  const socket = open({ port, token });
  await once(socket, "open");
  const { socket: guest } = await ide.guest();
  const ended = who === "agent" ? once(guest, "close") : closeOf(socket);
  if (who === "agent") socket.terminate();
  else guest.resetAndDestroy();
  await ended;
  await run.event("close", { code: 1006 });
});

test("each agent has a connection of its own to the editor", async () => {
  const scene = new AgentScene();
  const ide = await RawIde.open(scene);
  const { run, port, token } = await begin(scene);
  const [first, second] = [open({ port, token }), open({ port, token })];
  await Promise.all([once(first, "open"), once(second, "open")]);
  await ide.guest(1);
  first.terminate();
  await run.event("close");
  expect(second.readyState).toBe(WebSocket.OPEN);
  const [one, two] = ide.guests;
  two?.socket.write(wireFrame({ opcode: 1, payload: Buffer.from("{}") }));
  one?.socket.write(wireFrame({ opcode: 1, payload: Buffer.from("{}") }));
  await Promise.race([once(first, "message"), once(second, "message")]);
});

test("compressed frames are passed compressed, and are readable all the same", async () => {
  const scene = new AgentScene();
  const server = new WebSocketServer({
    ...{ port: 0, host: "127.0.0.1" },
    perMessageDeflate: { threshold: 0 },
  });
  onTestFinished(() => server.close());
  await once(server, "listening");
  scene.lock((server.address() as { port: number }).port, {});
  const { run, port, token } = await begin(scene);
  const socket = open({ port, token }, { perMessageDeflate: { threshold: 0 } });
  const [guest] = (await once(server, "connection")) as [WebSocket];
  onTestFinished(() => guest.terminate());
  await until("the agent is in", () => socket.readyState === WebSocket.OPEN);
  expect(socket.extensions).toBe("permessage-deflate");
  for (const turn of [1, 2, 3]) {
    const text = JSON.stringify({ jsonrpc: "2.0", method: "same", params: { turn } });
    const heard = once(guest, "message");
    socket.send(text);
    expect(String((await heard)[0])).toBe(text);
    await run.event("frame", { dir: "agent>ide", raw: text });
    const back = once(socket, "message");
    guest.send(text);
    expect(String((await back)[0])).toBe(text);
    await run.event("frame", { dir: "ide>agent", raw: text });
  }
});

test("no token is in the page's log, the recording or the output, even where an end says it", async () => {
  const scene = new AgentScene();
  const ide = await RawIde.open(scene);
  const { run, port, token } = await begin(scene, "--record", "trace.jsonl");
  const socket = open({ port, token });
  await once(socket, "open");
  const { socket: guest } = await ide.guest();
  const say = (opcode: number, text: string) =>
    guest.write(wireFrame({ opcode, payload: Buffer.from(text) }));
  say(1, JSON.stringify({ jsonrpc: "2.0", method: "leak", params: { it: ide.token } }));
  say(1, `plain ${ide.token} and ${encodeURIComponent(ide.token)}`);
  say(2, ide.token);
  say(9, ide.token);
  socket.send(JSON.stringify({ jsonrpc: "2.0", method: "mine", params: { token } }));
  const reason = Buffer.from(`xx${ide.token}`);
  reason.writeUInt16BE(1000, 0);
  guest.write(wireFrame({ opcode: 8, payload: reason }));
  await run.event("close", { code: 1000 });
  run.signal("SIGTERM");
  await run.exited;
  const bytes = readFileSync(join(scene.folder, "trace.jsonl"), "utf8");
  const spelt = [ide.token, token].flatMap((one) => [
    one,
    JSON.stringify(one).slice(1, -1),
    encodeURIComponent(one),
    Buffer.from(one).toString("base64").replace(/=+$/, "").slice(0, -2),
    Buffer.from(one).toString("hex"),
  ]);
  for (const secret of spelt) {
    for (const text of [bytes, run.output, run.errors]) expect(text).not.toContain(secret);
  }
  expect(bytes).toContain("redacted-token");
});

test("who has no token, another host, or is a web page is turned away, and the editor hears nothing", async () => {
  const scene = new AgentScene();
  const ide = await RawIde.open(scene);
  const { run, port, token } = await begin(scene);
  const refused = (headers: object) =>
    new Promise<number | undefined>((resolve) => {
      const socket = open({ port, token }, { headers });
      socket.on("unexpected-response", (_, { statusCode }) => resolve(statusCode));
    });
  expect(await refused({})).toBe(401);
  expect(await refused(tokenHeader(`${token}x`))).toBe(401);
  expect(await refused(tokenHeader(ide.token))).toBe(401);
  expect(await refused({ ...tokenHeader(token), Origin: "http://evil.example" })).toBe(403);
  expect(await refused({ ...tokenHeader(token), Host: "evil.example" })).toBe(403);
  const plain = await fetch(`http://127.0.0.1:${port}/`);
  expect(plain.status).toBe(426);
  expect(ide.guests).toEqual([]);
  expect(eventsOf(run, "control").filter(({ op }) => op === "refused")).toHaveLength(5);
});

test("an editor that has gone is said, and found again elsewhere when the next agent comes", async () => {
  const scene = new AgentScene();
  const first = await scene.serve();
  const begun = await begin(scene);
  await first.listener.close();
  const refused = await new Promise((resolve) => {
    open(begun).on("unexpected-response", (_, { statusCode }) => resolve(statusCode));
  });
  expect(refused).toBe(502);
  await until("the notice", () => begun.run.output.includes("does not answer on port"));
  const second = await scene.serve();
  const socket = open({ ...begun }, { headers: tokenHeader(begun.token) });
  await vi.waitFor(() => expect(second.listener).toBeDefined());
  await until("the new port", () => begun.run.output.includes(`on port ${second.port} now`));
  socket.terminate();
});

test("an end that floods is held back by an end that does not read, and costs no memory", async () => {
  const scene = new AgentScene();
  const ide = await RawIde.open(scene);
  const { port, token } = await begin(scene, "--record", "flood.jsonl");
  const agent = connect({ host: "127.0.0.1", port });
  agent.on("error", () => undefined);
  onTestFinished(() => void agent.destroy());
  agent.write(requestOf(port, token));
  const { socket: guest } = await ide.guest();
  agent.pause();
  const message = wireFrame({ opcode: 1, payload: Buffer.alloc(1 << 20, "x") });
  let written = 0;
  while (guest.writableLength < 1 << 23 && written < 256) {
    guest.write(message);
    written += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  // Held back: what the editor cannot get rid of waits on its side.
  expect(written).toBeLessThan(256);
  agent.resume();
  await until("all is read", () => agent.bytesRead > written << 20, 20_000);
});

function requestOf(port: number, token: string): string {
  const key = randomBytes(16).toString("base64");
  return [
    "GET / HTTP/1.1",
    `Host: localhost:${port}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    `Sec-WebSocket-Key: ${key}`,
    `X-Claude-Code-Ide-Authorization: ${token}`,
    "",
    "",
  ].join("\r\n");
}

test("a message of 50 MB passes whole, and its beginning is shown", async () => {
  const scene = new AgentScene();
  const ide = await RawIde.open(scene);
  const { run, port, token } = await begin(scene);
  const socket = open({ port, token }, { maxPayload: 1 << 26, headers: tokenHeader(token) });
  await once(socket, "open");
  const { socket: guest } = await ide.guest();
  const payload = randomBytes(1 << 10)
    .toString("hex")
    .repeat(25_000);
  const heard = once(socket, "message");
  guest.write(wireFrame({ opcode: 1, payload: Buffer.from(payload) }));
  const [data] = (await heard) as [Buffer];
  expect(data.length).toBe(payload.length);
  expect(data.toString() === payload).toBe(true);
  expect(await run.event("frame")).toMatchObject({ cut: payload.length });
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
  const first = await begin(scene);
  const second = await begin(scene);
  expect(await second.run.event("inspecting")).toMatchObject({ editor: { port: idePort } });
  const { output } = await scene.run("list");
  expect(output).toContain(`stands in front of the editor on port ${idePort}`);
  const { output: told } = await scene.run("doctor");
  expect(told).toContain(`CLAUDE_CODE_SSE_PORT=${second.port}`);
  first.run.signal("SIGINT");
  await first.run.exited;
  expect(existsSync(first.lockFile)).toBe(false);
});

test("an editor that speaks something else is passed on as it is, and named", async () => {
  const scene = new AgentScene();
  const answer = "HTTP/1.1 418 I'm a teapot\r\nContent-Length: 3\r\n\r\ntea";
  await RawIde.open(scene, answer);
  const { run, port, token } = await begin(scene);
  const agent = await RawSocket.open(port, token);
  await until("the answer", () => agent.received === answer);
  const refused = await run.event("control", { op: "refused" });
  expect(refused["text"]).toContain("418 I'm a teapot");
  agent.socket.destroy();

  const other = new AgentScene();
  await RawIde.open(other, "SSH-2.0-OpenSSH_9.2\r\n");
  const ssh = await begin(other);
  const guest = await RawSocket.open(ssh.port, ssh.token);
  await until("the banner", () => guest.received === "SSH-2.0-OpenSSH_9.2\r\n");
  guest.socket.destroy();
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
  const { run, port, token } = await begin(scene);
  const socket = open({ port, token });
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
