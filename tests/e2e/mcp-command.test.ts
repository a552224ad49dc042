import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AgentContext } from "../src/agent-context.ts";
import { offerTools } from "../src/offer-tools.ts";

const hello = {
  ...{ jsonrpc: "2.0", id: 0, method: "initialize" },
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "agent", version: "1.0.0" },
  },
};
const call = (id: number) => ({
  ...{ jsonrpc: "2.0", id, method: "tools/call" },
  params: { name: "echo", arguments: { a: "ä 🦊" } },
});

test("an agent that starts a command has the tools of the vault around its folder", async () => {
  const context = new AgentContext();
  const { server } = await offerTools(context.folder, context.fixture.env);
  const below = join(context.folder, "notes");
  mkdirSync(below, { recursive: true });
  const run = context.start("vault-tools", "--cwd", below);
  run.type(hello);
  run.type({ jsonrpc: "2.0", method: "notifications/initialized" });
  run.type(call(1));
  await run.shows('"id":1');
  expect(run.output).toContain('{\\"a\\":\\"ä 🦊\\"}');
  await expect.poll(() => [...server.connections].length).toBe(1);
  server.emit("notifications/tools/list_changed");
  await run.shows("list_changed");
  run.stdin.end();
  expect(await run.exited).toBe(0);
  await expect.poll(() => server.connections.size).toBe(0);
});

test("undeliverable messages are answered with an error that shows no token", async () => {
  const context = new AgentContext();
  const { close, endpoint } = await offerTools(context.folder, context.fixture.env);
  const run = context.start("vault-tools");
  run.type(hello);
  await run.shows('"serverInfo"');
  await close();
  run.type(call(7));
  await run.shows('"id":7,"error"');
  expect(run.output + run.errors).not.toContain(endpoint.token);
  run.stdin.end();
  expect(await run.exited).toBe(0);
});

test("a vault that was closed and reopened is called in a new session", async () => {
  const context = new AgentContext();
  const { close } = await offerTools(context.folder, context.fixture.env);
  const run = context.start("vault-tools");
  run.type(hello);
  await run.shows('"serverInfo"');
  run.type({ jsonrpc: "2.0", method: "notifications/initialized" });
  run.type(call(1));
  await run.shows('"id":1');
  await close();
  const { server } = await offerTools(context.folder, context.fixture.env);
  run.type(call(2));
  await run.shows('"id":2');
  expect(run.output).not.toContain('"error"');
  expect(run.output.match(/serverInfo/g)).toHaveLength(1);
  expect(server.connections.size).toBe(1);
  run.stdin.end();
  expect(await run.exited).toBe(0);
});

test("without a vault it names the remedy", async () => {
  const context = new AgentContext();
  const never = await context.run("vault-tools");
  expect([never.code, never.errors]).toEqual([1, expect.stringContaining("offers tools: in the")]);
  const { close } = await offerTools(context.folder, context.fixture.env);
  await close();
  expect((await context.run("vault-tools")).errors).toContain("is not open: start Obsidian");
});
