import * as v from "valibot";
import { expect, test } from "vitest";
import { joinInMemory } from "../../../testing/join-in-memory.ts";
import { settled } from "../../../testing/raw-end.ts";
import { textResult } from "../../content.ts";
import { type LogLevel, logLevels } from "../../logging.ts";
import { valibotInput } from "../../schemas/tool-input.ts";
import type { LegacyRevision } from "../../versions.ts";
import { McpServer } from "../server.ts";
import { defineTool } from "../tool.ts";
import { Logging } from "./logging.ts";

const revisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const;

function open(level?: LogLevel) {
  const logging = new Logging(level && { level });
  const server = new McpServer({
    info: { name: "s", version: "1" },
    features: [logging],
    tools: [
      defineTool({
        name: "log",
        input: valibotInput(v.object({})),
        run: (_, __, call) => {
          logging.logTo(call, { level: "error", data: { n: 1 }, logger: "tool" });
          return textResult("logged");
        },
      }),
    ],
  });
  const join = async (protocolVersion: LegacyRevision = "2025-11-25") => {
    const received: unknown[] = [];
    const joined = await joinInMemory(server, undefined, { protocolVersion });
    joined.client.onLogMessage((message) => void received.push(message));
    return { ...joined, received };
  };
  return { logging, server, join };
}

test.each(revisions)("in %s a client hears what it wants", async (revision) => {
  const { logging, join } = open();
  const { client, received } = await join(revision);
  expect(client.server.capabilities).toMatchObject({ logging: {} });
  await client.setLogLevel("warning");
  logging.log({ level: "notice", data: "no" });
  logging.log({ level: "warning", data: "yes", logger: "main" });
  await client.callTool("log");
  expect(received).toEqual([
    { level: "warning", data: "yes", logger: "main" },
    { level: "error", data: { n: 1 }, logger: "tool" },
  ]);
});

test.each(logLevels.map((level, index) => [level, index] as const))(
  "who wants %s hears it and what is worse",
  async (level, index) => {
    const { logging, join } = open();
    const { client, received } = await join();
    await client.setLogLevel(level);
    for (const each of logLevels) logging.log({ level: each, data: null });
    await settled();
    expect(received).toEqual(logLevels.slice(index).map((each) => ({ level: each, data: null })));
  },
);

test("the default level is info, or that of the options", async () => {
  for (const [level, count] of [
    [undefined, 7],
    ["alert", 2],
  ] as const) {
    const { logging, join } = open(level);
    const { received } = await join();
    for (const each of logLevels) logging.log({ level: each, data: 1 });
    await settled();
    expect(received.length).toBe(count);
  }
});

test("each client has a level of its own", async () => {
  const { logging, join } = open();
  const loud = await join();
  const quiet = await join();
  await loud.client.setLogLevel("debug");
  await quiet.client.setLogLevel("emergency");
  logging.log({ level: "debug", data: 1 });
  await settled();
  expect([loud.received.length, quiet.received.length]).toEqual([1, 0]);
});

test.each([undefined, "loud", "", 3, null, "__proto__", "toString"])(
  "the level %j is -32602, and changes nothing",
  async (level) => {
    const { logging, join } = open();
    const { client, received } = await join();
    await client.setLogLevel("alert");
    await expect(client.peer.request("logging/setLevel", { level })).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining("expected one of debug, info"),
    });
    logging.log({ level: "critical", data: 1 });
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
