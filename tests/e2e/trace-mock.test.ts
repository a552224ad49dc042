import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { McpClient } from "@idewire/core/client";
import { createMemoryTransportPair, type Transport } from "@idewire/core/rpc";
import { McpServer } from "@idewire/core/server";
import { EventLog, formatTrace, recordTransport } from "@idewire/devtools/trace";
import { createStdioTransport } from "@idewire/node-server/stdio";
import { expect, onTestFinished, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";

const eras = ["legacy", "modern"] as const;

async function use(transport: Transport, era: (typeof eras)[number]) {
  const client = await McpClient.connect(transport, { name: "t", version: "1", era });
  onTestFinished(() => client.close());
  const tools = await client.listTools();
  const called = [await client.callTool("count"), await client.callTool("count")];
  return { client, seen: { tools, called, server: client.server } };
}

test.each(eras)(
  "a client of a recorded server gets the same answers as the recording client, era %s",
  async (era) => {
    const server = new McpServer({ name: "counter", version: "1.0.0" });
    let count = 0;
    server.tool("count", {}, () => {
      count += 1;
      return String(count);
    });
    const [near, far] = createMemoryTransportPair();
    server.connect(far, { context: undefined });
    const log = new EventLog();
    const recorded = await use(recordTransport(near, { log, ch: "c1", sends: "agent>ide" }), era);

    const fixture = openFixture();
    writeFileSync(
      join(fixture.workspace, "day.jsonl"),
      formatTrace({ header: {}, events: log.events }),
    );
    const run = new CliRun(fixture, { args: ["trace", "mock", "day.jsonl"] });
    const replayed = await use(createStdioTransport(run.stdout, run.stdin), era);
    expect(replayed.seen).toEqual(recorded.seen);
    await expect(replayed.client.callTool("other")).rejects.toThrow(
      'The recording has no tools/call of {"name":"other"',
    );
    run.stdin.end();
    expect([await run.exited, run.errors]).toEqual([0, ""]);
  },
);
