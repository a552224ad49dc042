import { McpClient } from "@idewire/core/client";
import { createMemoryTransportPair } from "@idewire/core/rpc";
import { McpServer } from "@idewire/core/server";
import { EventLog, formatTrace, recordTransport } from "@idewire/devtools/trace";
import { test } from "vitest";
import { expectGoodLook, lookAs, looks } from "./looks.ts";
import { Person } from "./person.ts";
import { useSite } from "./site.ts";

const site = useSite();

/** The trace of a client that has listed the tools of a server. */
async function record(server: McpServer): Promise<string> {
  const log = new EventLog();
  const [near, far] = createMemoryTransportPair();
  server.connect(far, { context: undefined });
  const recorded = recordTransport(near, { log, ch: "c1", sends: "agent>ide" });
  const client = await McpClient.connect(recorded, { name: "t", version: "1", era: "legacy" });
  await client.listTools();
  client.close();
  return formatTrace({ header: { ide: "a server" }, events: log.events });
}

function createServer(town: object, more: readonly string[], description: string): McpServer {
  const server = new McpServer({ name: "weather", version: "1" });
  const input = { type: "object", properties: { town }, required: ["town"] } as const;
  server.tool("forecast", { input, description }, () => "Sun");
  for (const name of more) server.tool(name, {}, () => "done");
  return server;
}

test("what changes for the clients of a server is named breaking, compatible or text only", async () => {
  const [one, two] = await Promise.all([
    record(createServer({ type: "string" }, ["order"], "The weather")),
    record(createServer({ enum: ["Oslo"] }, ["order", "cancel"], "The weather of a town")),
  ]);
  const person = new Person(await site.page());
  const { page } = person;
  await person.opens("monday.jsonl", one);
  await person.runs("compare sessions");
  await person.givesFile("compare-file", "tuesday.jsonl", two);
  const comparison = page.getByTestId("comparison");
  await comparison.getByRole("heading", { name: "For clients of A, in B" }).waitFor();
  const changes = comparison.locator(".compared-what");
  for (const [kind, what] of [
    ["breaking", /forecast.*town/],
    ["compatible", /cancel/],
    ["text only", /forecast/],
  ] as const) {
    await changes.filter({ hasText: kind }).filter({ hasText: what }).first().waitFor();
  }
  for (const [where, look] of Object.entries(looks)) {
    await lookAs(page, look);
    await expectGoodLook(page, where);
  }
});
