import { expect, onTestFinished, test } from "vitest";
import { openFixture, openServer, startOpencode } from "./context.ts";
import { startKiloCode } from "./kilo-client.ts";
import { span } from "./wire.ts";

async function connected() {
  const fixture = openFixture();
  const server = await openServer(fixture);
  const client = startOpencode(fixture);
  await client.untilReady();
  await client.until("the handshake", () => server.received.length === 2);
  return { fixture, server, client };
}

test("it connects to / with the token, offers deflate and no sub-protocol, and sends no Origin", async () => {
  const { server } = await connected();
  const [upgrade] = server.upgrades;
  expect(upgrade?.url).toBe("/");
  expect(upgrade?.headers).toMatchObject({
    "sec-websocket-version": "13",
    "sec-websocket-extensions": expect.stringContaining("permessage-deflate"),
    "x-claude-code-ide-authorization": "secret",
  });
  expect(Object.keys(upgrade?.headers ?? {})).not.toContain("sec-websocket-protocol");
  expect(Object.keys(upgrade?.headers ?? {})).not.toContain("origin");
});

test("it sends only initialize and initialized", async () => {
  const { server, client } = await connected();
  server.ping();
  await client.until("the pong", () => server.pongs > 0);
  expect(server.methods()).toEqual(["initialize", "notifications/initialized"]);
  expect(server.received[0]?.params).toMatchObject({
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "opencode", version: "0.0.0" },
  });
});

test("WebSocket pings are answered, JSON-RPC pings never", async () => {
  const { server, client } = await connected();
  server.request("ping");
  server.ping();
  await client.until("the ping", () => client.transcript.dropped("ignored").length === 1);
  await client.until("the pong", () => server.pongs > 0);
  expect([server.pongs, client.pingFrames, server.received.length]).toEqual([1, 1, 2]);
});

test("a request with id 1 before the initialize reply is treated as that reply", async () => {
  const fixture = openFixture();
  const server = await openServer(fixture, { flaw: "asks-before-initialize-reply" });
  const large = startOpencode(fixture);
  await large.untilReady();
  expect(large.violations).toEqual([]);
  large.exit();
  await server.close();
  const other = openFixture();
  await openServer(other, { flaw: "asks-before-initialize-reply", firstRequestId: 1 });
  const client = startOpencode(other);
  await client.untilReady();
  expect(client.transcript.rules()).toEqual(["request-taken-for-reply"]);
});

test("the longest folder wins, then the newest file; a dead pid does not matter", async () => {
  const fixture = openFixture();
  const server = await openServer(fixture);
  fixture.lock(50000, { workspaceFolders: [fixture.root], pid: 1, transport: "ws" }, -20);
  fixture.lock(50001, { workspaceFolders: [fixture.workspace], transport: "sse" }, -20);
  const good = startOpencode(fixture);
  await good.untilReady();
  expect(server.upgrades).toHaveLength(1);
  fixture.lock(1, { workspaceFolders: [fixture.workspace], pid: 2 ** 22 + 1 }, -20);
  const misconfigured = startOpencode(fixture);
  await misconfigured.until("tries", () => misconfigured.tries >= 3);
  expect(misconfigured.state).not.toBe("ready");
  expect(misconfigured.transcript.entries[0]).toMatchObject({ detail: "1" });
});

test("with a port in the environment it skips the lock and the token, and keeps trying", async () => {
  const fixture = openFixture();
  const server = await openServer(fixture, { token: "other" });
  const env = { ...fixture.env, CLAUDE_CODE_SSE_PORT: String(server.port) };
  const client = startOpencode(fixture, { env, retryFactor: 0.005 });
  await client.until("tries", () => client.tries >= 4);
  expect(client.transcript.states()).not.toContain("ready");
});

test("Kilo Code sends opencode as its name, and has a variable of its own for the port", async () => {
  const fixture = openFixture();
  const server = await openServer(fixture, { token: "other" });
  const options = { env: fixture.env, cwd: fixture.workspace, retryFactor: 0.005 };
  const kilo = startKiloCode({
    ...options,
    env: { ...fixture.env, OPENCODE_EDITOR_SSE_PORT: "1" },
  });
  onTestFinished(() => kilo.exit());
  await kilo.untilReady();
  await expect.poll(() => server.received.length).toBe(2);
  const clientInfo = { name: "opencode", version: "0.0.0" };
  expect(server.received[0]?.params).toMatchObject({ clientInfo });
  const misconfigured = startKiloCode({
    ...options,
    env: { ...fixture.env, KILO_EDITOR_SSE_PORT: "1" },
  });
  onTestFinished(() => misconfigured.exit());
  await misconfigured.until("tries", () => misconfigured.tries >= 4);
  expect(misconfigured.transcript.states()).not.toContain("ready");
});

test("a selection without text, path or selection keeps the old context", async () => {
  const { server, client } = await connected();
  const whole = { filePath: "/w/a.txt", text: "two", selection: span(0, 0, 0, 3) };
  server.notify("selection_changed", whole);
  await client.until("received", () => client.context);
  server.notify("selection_changed", { selection: span(0, 0, 0, 0) });
  server.notify("selection_changed", { ...whole, text: null });
  server.notify("selection_changed", { ...whole, text: undefined });
  await client.until("dropped", () => client.transcript.dropped("schema").length === 3);
  expect(client.prompt()).toEqual([
    '<system-reminder>Note: The user selected #0 from "/w/a.txt": two</system-reminder>',
  ]);
  server.notify("selection_changed", { ...whole, text: "", selection: span(3, 1, 3, 1) });
  await client.until("received", () => client.prompt()[0]?.includes("opened"));
  expect(client.prompt()[0]).toContain('The user opened the file "/w/a.txt"');
});

test("several ranges become several notes", async () => {
  const { server, client } = await connected();
  const ranges = [
    { text: "a", selection: span(0, 0, 0, 1) },
    { text: "b\nc", selection: span(2, 0, 3, 1) },
  ];
  server.notify("selection_changed", { filePath: "/w/a.txt", ranges });
  await client.until("received", () => client.context);
  expect(client.prompt().map((note) => /#[\d-]+/.exec(note)?.[0])).toEqual(["#0", "#2-3"]);
});

test("a mention needs both lines", async () => {
  const { server, client } = await connected();
  server.notify("at_mentioned", { filePath: "/w/a.txt" });
  server.notify("at_mentioned", { filePath: "/w/a.txt", lineStart: 1, lineEnd: null });
  server.notify("at_mentioned", { filePath: "/w/a.txt", lineStart: 1, lineEnd: 2 });
  await client.until("received", () => client.mentions.length === 1);
  expect(client.transcript.dropped("schema")).toHaveLength(2);
});

test("it reconnects after a lost connection", async () => {
  const { server, client } = await connected();
  server.drop();
  await client.until("reconnected", () => client.state === "ready" && server.upgrades.length > 1);
  expect(server.upgrades).toHaveLength(2);
});
