import { expect, test } from "vitest";
import { ToolFailure } from "../../errors.ts";
import { joinInMemory } from "../../testing/join-in-memory.ts";
import { modernMeta, openModern } from "../../testing/modern-fixture.ts";
import { McpServer } from "./server.ts";
import type { Around } from "./server-options.ts";

const open = (around: Around<undefined>) => {
  const server = new McpServer<undefined>({ name: "s", version: "1", around });
  server.tool("greet", {}, () => "hello");
  server.tool("fail", {}, () => {
    throw new ToolFailure("no");
  });
  server.resource("x:{id}", { name: "x" }, ({ id }) => id);
  server.prompt("plan", {}, () => "Plan");
  return server;
};

test("around wraps each tool, resource and prompt, and receives their outcome", async () => {
  const seen: unknown[] = [];
  const server = open(async (call, next) => {
    try {
      return await next();
    } catch (error) {
      seen.push((error as Error).message);
      throw error;
    } finally {
      seen.push([call.method, call.name, call.principal, call.traceparent]);
      expect(call.durationMs).toBeGreaterThanOrEqual(0);
    }
  });
  const { client } = openModern(server, { principal: "ann" });
  const _meta = modernMeta({}, { traceparent: "00-1-2-01" });
  const send = async (method: string, params: object) => {
    client.request(method, method, { ...params, _meta });
    const messages = [...(await client.take()), ...(await client.take())];
    return messages[0]?.result;
  };
  expect(await send("tools/call", { name: "greet" })).toMatchObject({
    content: [{ text: "hello" }],
  });
  expect(await send("resources/read", { uri: "x:1" })).toMatchObject({ contents: [{ text: "1" }] });
  expect(await send("prompts/get", { name: "plan" })).toMatchObject({
    messages: [{ role: "user" }],
  });
  expect(await send("tools/call", { name: "fail" })).toMatchObject({ isError: true });
  expect(seen).toEqual([
    ["tools/call", "greet", "ann", "00-1-2-01"],
    ["resources/read", "x:1", "ann", "00-1-2-01"],
    ["prompts/get", "plan", "ann", "00-1-2-01"],
    "no",
    ["tools/call", "fail", "ann", "00-1-2-01"],
  ]);
});

test("around may answer in place of the handler, or change its answer", async () => {
  const server = open(async (call, next) =>
    call.name === "greet" ? { content: [{ type: "text", text: "instead" }] } : next(),
  );
  const { client } = await joinInMemory(server, undefined);
  expect(await client.callTool("greet")).toMatchObject({ content: [{ text: "instead" }] });
});
