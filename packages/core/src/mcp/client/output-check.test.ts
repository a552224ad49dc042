import * as v from "valibot";
import { expect, expectTypeOf, test } from "vitest";
import { createMemoryTransportPair } from "../../rpc/memory-transport.ts";
import { RawEnd } from "../../testing/raw-end.ts";
import { type CallToolResult, errorResult, structuredResult, textResult } from "../content.ts";
import { McpClient } from "./client.ts";

const json = { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] };
const standard = v.object({ sum: v.number() });

/** A client of a server that answers each call with one result. */
async function connect(result: CallToolResult) {
  const [left, right] = createMemoryTransportPair();
  const server = new RawEnd(right);
  const calls: unknown[] = [];
  right.onframe = (frame) => {
    const { id, method, params } = JSON.parse(frame);
    if (method === "tools/call") calls.push(params);
    const capabilities = { tools: {} };
    const serverInfo = { name: "s", version: "1" };
    const hello = { protocolVersion: "2025-11-25", capabilities, serverInfo };
    if (id !== undefined) server.answer(id, method === "initialize" ? hello : result);
  };
  const client = await McpClient.connect(left, { name: "me", version: "1", era: "legacy" });
  return { client, calls };
}

test.each([
  ["JSON Schema", json],
  ["a Standard Schema", standard],
])("%s checks the structured result of a tool", async (_, output) => {
  const { client } = await connect(structuredResult({ sum: 1 }));
  const result = await client.callTool("add", {}, { output });
  expect(result.structuredContent).toEqual({ sum: 1 });
});

test("a Standard Schema types the structured result", async () => {
  const { client } = await connect(structuredResult({ sum: 1 }));
  const result = await client.callTool("add", {}, { output: standard });
  if (result.isError) throw new Error("it has not failed");
  expectTypeOf(result.structuredContent).toEqualTypeOf<{ sum: number }>();
  expect(result.structuredContent.sum).toBe(1);
});

test("a failure of the tool is not checked", async () => {
  const { client } = await connect(errorResult("no"));
  expect(await client.callTool("add", {}, { output: json })).toEqual(errorResult("no"));
});

const wrong: readonly [CallToolResult, string][] = [
  [structuredResult({ sum: "x" }), 'sum: Instance type "string" is invalid'],
  [structuredResult({}), 'required property "sum"'],
  [textResult("1"), "it has no structuredContent"],
];

test.each(wrong)("%j is refused, since %s", async (result, why) => {
  const { client } = await connect(result);
  await expect(client.callTool("add", {}, { output: json })).rejects.toMatchObject({
    code: "protocol",
    message: expect.stringContaining(why),
  });
});

test.each([
  [
    "a schema with an external reference",
    { type: "object", $ref: "https://x.test/a.json" },
    "$ref",
  ],
  ["a value that is not a schema", "sum" as unknown as typeof json, 'got "sum"'],
])("%s is refused before any call", async (_, output, why) => {
  const { client, calls } = await connect(textResult("1"));
  await expect(client.callTool("add", {}, { output })).rejects.toMatchObject({
    code: "invalid-argument",
    message: expect.stringContaining(why),
  });
  expect(calls).toEqual([]);
});
