import { fileURLToPath } from "node:url";
import { McpClient } from "@idewire/core/client";
import { textResult } from "@idewire/core/internal";
import { McpServer } from "@idewire/core/server";
import { listenMcp } from "@idewire/node-server";
import { createStdioTransport } from "@idewire/node-server/stdio";
import { expect, onTestFinished, test } from "vitest";
import { AuthorizationFixture } from "../src/authorization-fixture.ts";
import { CliRun } from "../src/in-process-cli.ts";
import { openFixture } from "../src/reference-clients/context.ts";

const eras = ["legacy", "modern", "auto"] as const;

/** Connects to a URL or a command as a program does that starts MCP servers. */
async function connect(args: readonly string[], era: (typeof eras)[number] = "auto", env = {}) {
  const run = new CliRun(openFixture(), { args: ["mcp", "connect", ...args], env });
  const transport = createStdioTransport(run.stdout, run.stdin);
  const client = await McpClient.connect(transport, { name: "host", version: "1", era });
  onTestFinished(() => client.close());
  return { run, client };
}

async function serve(token?: string) {
  const server = new McpServer({ name: "weather", version: "1.0.0" });
  server.tool("forecast", {}, () => "Sunny");
  server.tool("delete_all", {}, () => "Gone");
  const listener = await listenMcp(server, token === undefined ? { access: "anyone" } : { token });
  onTestFinished(() => listener.close());
  return { server, listener };
}

test.each(eras)("a remote server is a stdio server for any program, era %s", async (era) => {
  const { listener } = await serve();
  const { client, run } = await connect([listener.url, "--hide-tools", "delete_*"], era);
  expect((await client.listTools()).map(({ name }) => name)).toEqual(["forecast"]);
  expect(await client.callTool("forecast")).toMatchObject(textResult("Sunny"));
  await expect(client.callTool("delete_all")).rejects.toThrow("Unknown tool: delete_all");
  client.close();
  run.stdin.end();
  expect([await run.exited, run.errors]).toEqual([0, ""]);
});

test("the tools of a command are hidden, too, and it ends with its client", async () => {
  const server = fileURLToPath(new URL("./stdio-server.mjs", import.meta.url));
  const { client, run } = await connect(["--tools", "a*", "--", process.execPath, server, "1.32"]);
  expect((await client.listTools()).map(({ name }) => name)).toEqual(["add"]);
  run.stdin.end();
  expect(await run.exited).toBe(0);
});

test("a variable is sent as a header, and its value is not printed", async () => {
  const token = "a-token-of-the-test";
  const { listener } = await serve(token);
  const env = { SECRET: `Bearer ${token}` };
  const args = [listener.url, "--header-env", "Authorization: SECRET"];
  const { client, run } = await connect(args, "auto", env);
  expect(await client.callTool("forecast")).toMatchObject(textResult("Sunny"));
  run.stdin.end();
  await run.exited;
  const unset = new CliRun(openFixture(), { args: ["mcp", "connect", ...args] });
  expect([await unset.exited, unset.errors]).toEqual([
    2,
    expect.stringContaining("--header-env: the variable SECRET is not set"),
  ]);
});

test("a server that wants a login is answered with the command for it", async () => {
  const servers = await new AuthorizationFixture().listen();
  onTestFinished(() => servers[Symbol.asyncDispose]());
  const args = [servers.server.url, "--profile", "work"];
  await expect(connect(args, "legacy")).rejects.toThrow(
    "Log in first: idewire mcp login --profile work <url>",
  );
  expect(servers.visits).toEqual([]);
});
