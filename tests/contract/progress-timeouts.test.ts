import { setTimeout as sleep } from "node:timers/promises";
import { McpClient, type McpClientOptions } from "@idewire/core/client";
import { McpServer } from "@idewire/core/server";
import type { TransportPair } from "@idewire/core/testing";
import { connectMcp } from "@idewire/http";
import { listenMcp } from "@idewire/node-server";
import { describe, expect, onTestFinished, test } from "vitest";
import { streamPair } from "../src/stdio-pairs.ts";
import { webSocketPair } from "../src/transport-pairs.ts";

/** Replaces the default of a minute. */
const timeoutMs = 500;
const REPORT_MS = 100;

type Connect = (options: McpClientOptions) => Promise<McpClient>;

/** A server whose tool reports its progress for the given time. */
function createServer(): McpServer<undefined> {
  const server = new McpServer<undefined>({ name: "server", version: "1" });
  const input = {
    type: "object",
    properties: { ms: { type: "number" } },
    required: ["ms"],
  } as const;
  server.tool("work", { input }, async ({ ms }, call) => {
    for (let step = 1; step * REPORT_MS <= ms; step += 1) {
      await sleep(REPORT_MS);
      call.progress({ progress: step });
    }
    return "done";
  });
  return server;
}

function over(makePair: () => TransportPair | Promise<TransportPair>): Connect {
  return async (options) => {
    const { left, right } = await makePair();
    createServer().connect(right, { context: undefined });
    return McpClient.connect(left, options);
  };
}

const overHttp: Connect = async (options) => {
  const token = "a token of this test";
  const listener = await listenMcp(createServer(), { token });
  onTestFinished(() => listener.close());
  const headers = { authorization: `Bearer ${token}` };
  return connectMcp(listener.url, { ...options, headers });
};

const media: readonly (readonly [string, Connect])[] = [
  ["stdio", over(streamPair)],
  ["a WebSocket", over(webSocketPair)],
  ["HTTP", overHttp],
];

describe.each(media)("over %s", (_, connect) => {
  describe.each(["legacy", "modern"] as const)("in the %s era", (era) => {
    const open = async () => {
      const client = await connect({ name: "me", version: "1", era });
      onTestFinished(() => client.close());
      expect(client.era).toBe(era);
      return client;
    };

    test("a call whose tool reports progress outlives its time-out", async () => {
      const client = await open();
      const result = await client.callTool("work", { ms: 3 * timeoutMs }, { timeoutMs });
      expect(result.content).toEqual([{ type: "text", text: "done" }]);
    });

    test("the limit of the total wait ends it anyway", async () => {
      const client = await open();
      const options = { timeoutMs, maxTotalTimeoutMs: timeoutMs };
      const call = client.callTool("work", { ms: 3 * timeoutMs }, options);
      await expect(call).rejects.toMatchObject({ code: "timeout" });
    });
  });
});
