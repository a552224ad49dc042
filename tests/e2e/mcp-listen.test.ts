import { expect, onTestFinished, test } from "vitest";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";
import {
  event,
  events,
  json,
  result,
  type ScriptedAnswer,
  ScriptedHttpServer,
  withSessions,
} from "../src/scripted-http-server.ts";

/** Reports changed tools before it answers the first request, a subscription. */
const earlyNotifier = `
const hello = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
  serverInfo: { name: "earlyNotifier", version: "1" },
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  const result = method === "initialize" ? hello : {};
  if (method === "resources/subscribe") {
    console.log('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
  }
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
});`;

test("listen first reports that it listens, and loses no earlier message", async () => {
  const server = [
    "--era",
    "legacy",
    "--resource",
    "a:b",
    "--",
    process.execPath,
    "-e",
    earlyNotifier,
  ];
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

const modern: ScriptedAnswer = ({ message: { id, method } }, response) => {
  const capabilities = { tools: { listChanged: true } };
  const server = { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities };
  if (method === "server/discover") return json(response, result(id, server));
  const _meta = { "io.modelcontextprotocol/subscriptionId": id };
  const params = { notifications: { toolsListChanged: true }, _meta };
  const agreed = { jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params };
  return events(response).write(event(agreed));
};
const legacy = withSessions(({ method }, response) =>
  method === "GET" ? events(response) : false,
);

const GONE = "The server has disconnected; reconnecting.\n";
const BACK = "The server is back.\n";

test.each([
  ["legacy", legacy],
  ["modern", modern],
])("the loss and the return of a server are reported once each (%s)", async (era, answer) => {
  const serve = async (port?: number) => {
    const server = await new ScriptedHttpServer(answer).listen(port);
    onTestFinished(() => server[Symbol.asyncDispose]().catch(() => {}));
    return server;
  };
  const first = await serve();
  const started = new CliRun(openFixture(), { args: ["mcp", "listen", "--era", era, first.url] });
  await started.shows("Listening to");
  if (era === "legacy") await expect.poll(() => first.methods).toContain("GET");
  const { port } = first;
  await first[Symbol.asyncDispose]();
  await expect.poll(() => started.errors).toBe(GONE);
  await serve(port);
  await expect.poll(() => started.errors).toBe(GONE + BACK);
  started.signal("SIGINT");
  expect([await started.exited, started.errors]).toEqual([130, GONE + BACK]);
});

test("so are those of a program, which is restarted", async () => {
  const exitingServer = earlyNotifier.replace(
    "const result =",
    `if (method === "notifications/initialized") {
      const params = { pid: process.pid };
      console.log(JSON.stringify({ jsonrpc: "2.0", method: "notifications/pid", params }));
    }
    const result =`,
  );
  const server = ["--era", "legacy", "--", process.execPath, "-e", exitingServer];
  const started = new CliRun(openFixture(), { args: ["mcp", "listen", "--json", ...server] });
  const { params } = await started.event("notification", { method: "notifications/pid" });
  await started.event("connected");
  process.kill((params as { readonly pid: number }).pid);
  await expect.poll(() => started.errors).toBe(GONE + BACK);
});
