import { expect, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";

/** Says that its tools have changed before it answers what it is asked first, a subscription. */
const hasty = `
const hello = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
  serverInfo: { name: "hasty", version: "1" },
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  const result = method === "initialize" ? hello : {};
  if (method === "resources/subscribe") {
    console.log('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
  }
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
});`;

test("that it listens is what listen says first, and nothing of before is lost", async () => {
  const server = ["--era", "legacy", "--resource", "a:b", "--", process.execPath, "-e", hasty];
  const started = new CliRun(openFixture(), { args: ["mcp", "listen", "--json", ...server] });
  await started.event("notification");
  const events = started.output
    .trimEnd()
    .split("\n")
    .map((each) => JSON.parse(each).event);
  expect(events).toEqual(["connected", "notification"]);
  started.signal("SIGTERM");
  expect(await started.exited).toBe(143);
});
