import * as v from "valibot";
import { expect, test } from "vitest";
import { joinInMemory } from "../../testing/join-in-memory.ts";
import { McpServer } from "../server/server.ts";
import { plainInput } from "./plain-input.ts";

const inputs = {
  valibot: v.object({
    text: v.string(),
    note: v.optional(v.string()),
    limit: v.optional(v.pipe(v.number(), v.integer())),
    mode: v.optional(v.picklist(["a", "b"])),
    clear: v.optional(v.nullable(v.string())),
    edits: v.optional(v.array(v.object({ from: v.string(), to: v.optional(v.string()) }))),
  }),
  "JSON Schema": {
    type: "object",
    properties: {
      text: { type: "string" },
      note: { type: "string" },
      limit: { type: "integer" },
      mode: { enum: ["a", "b"] },
      clear: { type: ["string", "null"] },
      edits: {
        type: "array",
        items: {
          type: "object",
          properties: { from: { type: "string" }, to: { type: "string" } },
          required: ["from"],
        },
      },
    },
    required: ["text"],
  },
} as const;

async function open(input: (typeof inputs)[keyof typeof inputs]) {
  const server = new McpServer<undefined>({ name: "s", version: "1" });
  server.tool("t", { input: input as never }, (args: unknown) => JSON.stringify(args));
  const { client } = await joinInMemory(server, undefined);
  return async (args: object) => {
    const { content, isError } = await client.callTool("t", args as never);
    const { text } = content[0] as { readonly text: string };
    return isError === true ? text : (JSON.parse(text) as unknown);
  };
}

test.each(Object.keys(inputs) as (keyof typeof inputs)[])(
  "null in place of an optional argument means that it is absent, at any depth: %s",
  async (library) => {
    const call = await open(inputs[library]);
    expect(await call({ text: "x", note: null, limit: null, mode: null, edits: null })).toEqual({
      text: "x",
    });
    const edits = [
      { from: "a", to: null },
      { from: "b", to: "c" },
    ];
    expect(await call({ text: "x", edits })).toEqual({
      text: "x",
      edits: [{ from: "a" }, { from: "b", to: "c" }],
    });
    // A null that the schema allows is kept.
    expect(await call({ text: "x", note: null, clear: null })).toEqual({ text: "x", clear: null });
    expect(await call({ text: null })).toMatch(/got null/i);
    expect(await call({ text: "x", note: null, limit: "many" })).toMatch(/many|limit/);
  },
);

test("null in place of an optional argument of a prompt means that it is absent", async () => {
  const server = new McpServer<undefined>({ name: "s", version: "1" });
  const named = { arguments: { city: { required: true }, tone: {} } } as const;
  server.prompt("p", named, (args) => JSON.stringify(args));
  const { client } = await joinInMemory(server, undefined);
  const get = (args: object) => client.getPrompt("p", args as never);
  expect((await get({ city: "Oslo", tone: null })).messages[0]?.content).toEqual({
    type: "text",
    text: '{"city":"Oslo"}',
  });
  await expect(get({ city: null })).rejects.toThrow("city: expected string, got null");
});

test("plainInput, which the tools of dialects have, takes null in the same way", async () => {
  const server = new McpServer<undefined>({ name: "s", version: "1" });
  const input = plainInput<{ readonly path: string; readonly preview?: boolean }>({
    path: { type: "string" },
    preview: { type: "boolean", optional: true },
  });
  server.tool("t", { input }, (args) => JSON.stringify(args));
  const { client } = await joinInMemory(server, undefined);
  expect(await client.callTool("t", { path: "/a", preview: null })).toEqual({
    content: [{ type: "text", text: '{"path":"/a"}' }],
  });
});
