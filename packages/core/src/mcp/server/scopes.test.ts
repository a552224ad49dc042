import { expect, test } from "vitest";
import { connectInMemory } from "../../testing/connect-in-memory.ts";
import { McpServer } from "./server.ts";

function makeServer() {
  const server = new McpServer({ name: "s", version: "1" });
  server.tool("read", {}, () => "read");
  server.tool("write", { scopes: ["notes", "write"] }, () => "written");
  server.tool("secret", { scopes: ["write"], visible: () => false }, () => "s");
  return server;
}

const eras = ["legacy", "modern"] as const;

test.each(eras)("in the %s era a tool answers clients with its scopes alone", async (era) => {
  const connect = (scopes?: readonly string[]) =>
    connectInMemory(makeServer(), { era, ...(scopes && { scopes }) });
  const able = await connect(["write", "more", "notes"]);
  expect(await able.callTool("write")).toMatchObject({ content: [{ text: "written" }] });
  for (const scopes of [undefined, [], ["write"]]) {
    const client = await connect(scopes);
    expect(await client.callTool("read")).toMatchObject({ content: [{ text: "read" }] });
    await expect(client.callTool("write")).rejects.toMatchObject({
      code: -32600,
      message: "write needs the scopes notes write",
      data: { requiredScopes: ["notes", "write"] },
    });
    expect((await client.listTools()).map(({ name }) => name)).toEqual(["read", "write"]);
  }
});

test.each(eras)("in the %s era the scopes of an invisible tool are not revealed", async (era) => {
  const client = await connectInMemory(makeServer(), { era });
  await expect(client.callTool("secret")).rejects.toThrow('Unknown tool: "secret"');
});

test("scopes other than an array of strings are refused", () => {
  expect(() => makeServer().tool("t", { scopes: "write" as never }, () => "")).toThrow(
    'tool "t", scopes: expected a list of texts, got "write"',
  );
});
