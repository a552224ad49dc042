import type { InferOutput } from "@idewire/core/server";
import { McpServer } from "@idewire/core/server";
import { connectInMemory } from "@idewire/core/testing";
import { type } from "arktype";
import * as v from "valibot";
import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";

// Every kind of schema gives a tool the same types, descriptions and refusals.

const zod = {
  input: z.object({ city: z.string(), days: z.number().optional() }),
  output: z.object({ celsius: z.number() }),
};
const valibot = {
  input: v.object({ city: v.string(), days: v.optional(v.number()) }),
  output: v.object({ celsius: v.number() }),
};
const arktype = {
  input: type({ city: "string", "days?": "number" }),
  output: type({ celsius: "number" }),
};
const jsonSchema = {
  input: {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "number" } },
    required: ["city"],
  },
  output: { type: "object", properties: { celsius: { type: "number" } }, required: ["celsius"] },
} as const;

const open = () => new McpServer({ name: "weather", version: "1.0.0", onerror: () => {} });
const answer = ({ city }: { readonly city: string }) =>
  city === "nowhere" ? ({ celsius: "cold" } as never) : { celsius: city.length };

const servers = {
  zod() {
    const server = open();
    server.tool("forecast", zod, answer);
    return server;
  },
  valibot() {
    const server = open();
    server.tool("forecast", valibot, answer);
    return server;
  },
  arktype() {
    const server = open();
    server.tool("forecast", arktype, answer);
    return server;
  },
  "JSON Schema"() {
    const server = open();
    server.tool("forecast", jsonSchema, answer);
    return server;
  },
};

// All kinds infer the same types.
type Arguments = { city: string; days?: number | undefined };
expectTypeOf<InferOutput<typeof zod.input>>().toExtend<Arguments>();
expectTypeOf<InferOutput<typeof valibot.input>>().toExtend<Arguments>();
expectTypeOf<InferOutput<typeof arktype.input>>().toExtend<Arguments>();
expectTypeOf<InferOutput<typeof jsonSchema.input>>().toExtend<Arguments>();
expectTypeOf<InferOutput<typeof zod.output>>().toEqualTypeOf<{ celsius: number }>();
expectTypeOf<InferOutput<typeof valibot.output>>().toEqualTypeOf<{ celsius: number }>();
expectTypeOf<InferOutput<typeof arktype.output>>().toEqualTypeOf<{ celsius: number }>();
expectTypeOf<InferOutput<typeof jsonSchema.output>>().toEqualTypeOf<{
  readonly celsius: number;
}>();

const cases = Object.entries(servers).flatMap(([kind, serve]) =>
  (["legacy", "modern"] as const).map((era) => ({ kind, serve, era })),
);

test.each(cases)(
  "schemas of $kind describe, check and type a tool in the $era era",
  async ({ serve, era }) => {
    const client = await connectInMemory(serve(), { era });
    const [tool] = await client.listTools();
    expect(tool?.inputSchema).toMatchObject({
      type: "object",
      properties: { city: { type: "string" }, days: { type: "number" } },
      required: ["city"],
    });
    expect(tool?.outputSchema).toMatchObject(jsonSchema.output);
    expect(await client.callTool("forecast", { city: "Oslo" })).toMatchObject({
      structuredContent: { celsius: 4 },
    });
    expect(await client.callTool("forecast", { city: 5 })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/city.*string/) }],
    });
    expect(await client.callTool("forecast", { city: "nowhere" })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/The result of tool "forecast": .*celsius/) }],
    });
    const checked = await client.callTool("forecast", { city: "Rome" }, { output: zod.output });
    expect(checked.structuredContent).toEqual({ celsius: 4 });
  },
);
