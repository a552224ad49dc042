import { textResult } from "@idewire/core";
import { expect, test } from "vitest";
import { objectResult, objectTool } from "./object-results.ts";

const text = '[{"uri":"file:///a"}]';

test.each([
  ["JSON of getDiagnostics", textResult(text), { result: JSON.parse(text) }],
  ["JSON of an object", textResult('{"a":1}'), { a: 1 }],
  ["a text that is no JSON", textResult("None."), undefined],
  ["several texts", textResult("[]", "[]"), undefined],
  ["an array", { ...textResult("x"), structuredContent: [1] }, { result: [1] }],
  ["null", { ...textResult("x"), structuredContent: null }, { result: null }],
  ["an object", { ...textResult("x"), structuredContent: { a: [] } }, { a: [] }],
  ["a failure", { ...textResult("[]"), isError: true }, undefined],
])(
  "the structured content of %s is an object or absent, and the text stays",
  (_, result, wanted) => {
    const given = objectResult("getDiagnostics", result);
    expect(given.structuredContent).toEqual(wanted);
    expect(given.content).toBe(result.content);
  },
);

test("the text of other tools is theirs alone", () => {
  const result = textResult("[]");
  expect(objectResult("readFile", result)).toBe(result);
});

test("the schema is that of the wrapped value, with its references whole", () => {
  const inputSchema = { type: "object" } as const;
  const $defs = { line: { type: "number" } };
  const array = { type: "array", items: { $ref: "#/$defs/line" } };
  const tool = { name: "lines", inputSchema, outputSchema: { ...array, $defs } };
  expect(objectTool(tool).outputSchema).toEqual({
    type: "object",
    properties: { result: array },
    required: ["result"],
    $defs,
  });
  const plain = { name: "line", inputSchema, outputSchema: { type: "object" } };
  expect(objectTool(plain)).toBe(plain);
});
