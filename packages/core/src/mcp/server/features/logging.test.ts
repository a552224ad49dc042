import { expect, test } from "vitest";
import { joinInMemory } from "../../../testing/join-in-memory.ts";
import { settled } from "../../../testing/raw-end.ts";
import { type LogLevel, logLevels } from "../../logging.ts";
import type { LegacyRevision } from "../../versions.ts";
import { McpServer } from "../server.ts";

const revisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const;

function open(logLevel?: LogLevel) {
  const server = new McpServer({ name: "s", version: "1", ...(logLevel && { logLevel }) });
  server.tool("log", {}, (_, call) => {
    call.log("error", { n: 1 }, "tool");
    return "logged";
  });
  const join = async (protocolVersion: LegacyRevision = "2025-11-25") => {
    const received: unknown[] = [];
    const joined = await joinInMemory(server, undefined, { protocolVersion });
    joined.client.onLogMessage((message) => void received.push(message));
    return { ...joined, received };
  };
  return { server, join };
}

test.each(revisions)("in %s a client receives the messages that it requested", async (revision) => {
  const { server, join } = open();
  const { client, received } = await join(revision);
  expect(client.server.capabilities).toMatchObject({ logging: {} });
  await client.setLogLevel("warning");
  server.log("notice", "no");
  server.log("warning", "yes", "main");
  await client.callTool("log");
  expect(received).toEqual([
    { level: "warning", data: "yes", logger: "main" },
    { level: "error", data: { n: 1 }, logger: "tool" },
  ]);
});

test.each(logLevels.map((level, index) => [level, index] as const))(
  "a client at level %s receives that level and more severe ones",
  async (level, index) => {
    const { server, join } = open();
    const { client, received } = await join();
    await client.setLogLevel(level);
    for (const each of logLevels) server.log(each, null);
    await settled();
    expect(received).toEqual(logLevels.slice(index).map((each) => ({ level: each, data: null })));
  },
);

test("the default level is info, or that of the options", async () => {
  for (const [level, count] of [
    [undefined, 7],
    ["alert", 2],
  ] as const) {
    const { server, join } = open(level);
    const { received } = await join();
    for (const each of logLevels) server.log(each, 1);
    await settled();
    expect(received.length).toBe(count);
  }
});

test("each client has a level of its own", async () => {
  const { server, join } = open();
  const loud = await join();
  const quiet = await join();
  await loud.client.setLogLevel("debug");
  await quiet.client.setLogLevel("emergency");
  server.log("debug", 1);
  await settled();
  expect([loud.received.length, quiet.received.length]).toEqual([1, 0]);
});

test.each([undefined, "loud", "", 3, null, "__proto__", "toString"])(
  "the level %j is -32602, and changes nothing",
  async (level) => {
    const { server, join } = open();
    const { client, received } = await join();
    await client.setLogLevel("alert");
    await expect(client.peer.request("logging/setLevel", { level })).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining("expected one of debug, info"),
    });
    server.log("critical", 1);
    await settled();
    expect(received).toEqual([]);
  },
);

test("a message with an unknown level is skipped", async () => {
  const { join } = open();
  const { connection, received } = await join();
  for (const params of [undefined, {}, { level: "loud", data: 1 }, { level: 5 }]) {
    connection.peer.notify("notifications/message", params);
  }
  connection.peer.notify("notifications/message", { level: "info", data: 1, logger: 5 });
  await settled();
  expect(received).toEqual([{ level: "info", data: 1 }]);
});

test("a server without logging announces none, refuses the level and sends nothing", async () => {
  const server = new McpServer({ name: "s", version: "1", logLevel: "off" });
  const { client, recorder } = await joinInMemory(server, undefined);
  expect(client.server.capabilities).toEqual({ tools: { listChanged: true } });
  const refused = { code: -32_601 };
  await expect(client.peer.request("logging/setLevel", {})).rejects.toMatchObject(refused);
  const before = recorder.frames.length;
  server.log("emergency", "unheard");
  await settled();
  expect(recorder.frames.length).toBe(before);
});
