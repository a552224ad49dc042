import { expect, test } from "vitest";
import { openServer, openStage, startOpencode } from "./scene.ts";
import { span } from "./wire.ts";

async function connected() {
  const stage = openStage();
  const server = await openServer(stage);
  const twin = startOpencode(stage);
  await twin.untilReady();
  await twin.until("the handshake", () => server.received.length === 2);
  return { stage, server, twin };
}

test("it dials / with the token, offers deflate and no sub-protocol, and has no Origin", async () => {
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

test("it says initialize and initialized, and nothing more", async () => {
  const { server, twin } = await connected();
  server.ping();
  await twin.until("the pong", () => server.pongs > 0);
  expect(server.methods()).toEqual(["initialize", "notifications/initialized"]);
  expect(server.received[0]?.params).toMatchObject({
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "opencode", version: "0.0.0" },
  });
});

test("WebSocket pings are answered, JSON-RPC pings never", async () => {
  const { server, twin } = await connected();
  server.request("ping");
  server.ping();
  await twin.until("the ping", () => twin.transcript.dropped("ignored").length === 1);
  await twin.until("the pong", () => server.pongs > 0);
  expect([server.pongs, twin.pingFrames, server.received.length]).toEqual([1, 1, 2]);
});

test("a request with id 1 before the initialize reply is taken for that reply", async () => {
  const stage = openStage();
  const server = await openServer(stage, { flaw: "asks-before-initialize-reply" });
  const large = startOpencode(stage);
  await large.untilReady();
  expect(large.violations).toEqual([]);
  large.exit();
  await server.close();
  const other = openStage();
  await openServer(other, { flaw: "asks-before-initialize-reply", firstRequestId: 1 });
  const twin = startOpencode(other);
  await twin.untilReady();
  expect(twin.transcript.rules()).toEqual(["request-taken-for-reply"]);
});

test("the longest folder wins, then the newest file; a dead pid does not matter", async () => {
  const stage = openStage();
  const server = await openServer(stage);
  stage.lock(50000, { workspaceFolders: [stage.root], pid: 1, transport: "ws" }, -20);
  stage.lock(50001, { workspaceFolders: [stage.workspace], transport: "sse" }, -20);
  const good = startOpencode(stage);
  await good.untilReady();
  expect(server.upgrades).toHaveLength(1);
  stage.lock(1, { workspaceFolders: [stage.workspace], pid: 2 ** 22 + 1 }, -20);
  const misled = startOpencode(stage);
  await misled.until("tries", () => misled.tries >= 3);
  expect(misled.state).not.toBe("ready");
  expect(misled.transcript.entries[0]).toMatchObject({ detail: "1" });
});

test("a port in the environment skips the lock and the token, and it keeps trying", async () => {
  const stage = openStage();
  const server = await openServer(stage, { token: "other" });
  const env = { ...stage.env, CLAUDE_CODE_SSE_PORT: String(server.port) };
  const twin = startOpencode(stage, { env, retryFactor: 0.005 });
  await twin.until("tries", () => twin.tries >= 4);
  expect(twin.transcript.states()).not.toContain("ready");
});

test("a selection needs text, path and selection; what lacks one leaves the old context", async () => {
  const { server, twin } = await connected();
  const whole = { filePath: "/w/a.txt", text: "two", selection: span(0, 0, 0, 3) };
  server.notify("selection_changed", whole);
  await twin.until("heard", () => twin.context);
  server.notify("selection_changed", { selection: span(0, 0, 0, 0) });
  server.notify("selection_changed", { ...whole, text: null });
  server.notify("selection_changed", { ...whole, text: undefined });
  await twin.until("dropped", () => twin.transcript.dropped("schema").length === 3);
  expect(twin.prompt()).toEqual([
    '<system-reminder>Note: The user selected #0 from "/w/a.txt": two</system-reminder>',
  ]);
  server.notify("selection_changed", { ...whole, text: "", selection: span(3, 1, 3, 1) });
  await twin.until("heard", () => twin.prompt()[0]?.includes("opened"));
  expect(twin.prompt()[0]).toContain('The user opened the file "/w/a.txt"');
});

test("several ranges are several notes", async () => {
  const { server, twin } = await connected();
  const ranges = [
    { text: "a", selection: span(0, 0, 0, 1) },
    { text: "b\nc", selection: span(2, 0, 3, 1) },
  ];
  server.notify("selection_changed", { filePath: "/w/a.txt", ranges });
  await twin.until("heard", () => twin.context);
  expect(twin.prompt().map((note) => /#[\d-]+/.exec(note)?.[0])).toEqual(["#0", "#2-3"]);
});

test("a mention needs both lines", async () => {
  const { server, twin } = await connected();
  server.notify("at_mentioned", { filePath: "/w/a.txt" });
  server.notify("at_mentioned", { filePath: "/w/a.txt", lineStart: 1, lineEnd: null });
  server.notify("at_mentioned", { filePath: "/w/a.txt", lineStart: 1, lineEnd: 2 });
  await twin.until("heard", () => twin.mentions.length === 1);
  expect(twin.transcript.dropped("schema")).toHaveLength(2);
});

test("it comes back after a cut", async () => {
  const { server, twin } = await connected();
  server.drop();
  await twin.until("back", () => server.upgrades.length === 2 && twin.state === "ready");
});
