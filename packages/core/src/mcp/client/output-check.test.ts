import { expect, test } from "vitest";
import { jsonSchemaValidator } from "../../json-schema/index.ts";
import { type CallToolResult, errorResult, structuredResult, textResult } from "../content.ts";
import type { ToolDescription } from "../protocol.ts";
import { createOutputCheck } from "./output-check.ts";

const inputSchema = { type: "object" } as const;
const add: ToolDescription = {
  name: "add",
  inputSchema,
  outputSchema: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
};

test.each([structuredResult({ sum: 1 }), errorResult("no")])("%j passes as it is", (result) => {
  expect(createOutputCheck(add, jsonSchemaValidator)(result)).toBe(result);
});

const wrong: readonly [CallToolResult, string][] = [
  [structuredResult({ sum: "x" }), 'sum: Instance type "string" is invalid'],
  [structuredResult({}), 'required property "sum"'],
  [textResult("1"), "it has no structuredContent"],
];

test.each(wrong)("%j is refused, since %s", (result, why) => {
  expect(() => createOutputCheck(add, jsonSchemaValidator)(result)).toThrow(
    expect.objectContaining({ code: "protocol", message: expect.stringContaining(why) }),
  );
});

test("the result of a tool without a schema passes", () => {
  const plain = createOutputCheck({ name: "plain", inputSchema }, jsonSchemaValidator);
  expect(plain(textResult("x"))).toEqual(textResult("x"));
});

test("a schema with an external reference is refused before any call", () => {
  const outputSchema = { type: "object", $ref: "https://x.test/a.json" } as const;
  expect(() => createOutputCheck({ ...add, outputSchema }, jsonSchemaValidator)).toThrow("$ref");
});
