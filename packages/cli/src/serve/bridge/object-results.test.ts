import { isObject, textResult } from "@idewire/core/internal";
import { jsonSchemaValidator } from "@idewire/core/json-schema";
import type { JsonSchema } from "@idewire/core/server";
import { expect, test } from "vitest";
import { objectResult, objectTool } from "./object-results.ts";

const text = '[{"uri":"file:///a"}]';
const inputSchema = { type: "object" } as const;
const getDiagnostics = { name: "getDiagnostics", inputSchema };

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
    const given = objectResult(getDiagnostics, result);
    expect(given.structuredContent).toEqual(wanted);
    expect(given.content).toBe(result.content);
  },
);

test("the text of other tools is theirs alone", () => {
  const result = textResult("[]");
  expect(objectResult({ name: "readFile", inputSchema }, result)).toBe(result);
});

test("diagnostics of a whole workspace, as many as an answer may have, have structured content", () => {
  const files = Array.from({ length: 20_000 }, () => ({ uri: "a", line: 1, column: 1 }));
  const result = textResult(JSON.stringify(files));
  expect(objectResult(getDiagnostics, result).structuredContent).toEqual({ result: files });
});

const number = { type: "number" };
const tree = { type: "array", items: { $ref: "#" } };
const pair = {
  properties: { a: { type: "array", items: number }, b: { $ref: "#/anyOf/0/properties/a" } },
  required: ["b"],
};
const draft7 = "http://json-schema.org/draft-07/schema#";
const ownIds = {
  $id: "https://x.test/lines",
  type: "array",
  items: { $ref: "#/$defs/line" },
  $defs: { line: number },
};

/** The schema of a tool, a value that fits it, and one of the same shape that does not. */
const schemas: readonly (readonly [string, JsonSchema, unknown, unknown])[] = [
  ["an object", { type: "object", properties: { a: number } }, { a: 1 }, { a: "1" }],
  ["an array", { type: "array", items: number }, [1], ["1"]],
  ["an object of either type", { type: ["object", "null"], required: ["a"] }, { a: 1 }, {}],
  ["null of either type", { type: ["object", "null"] }, null, 1],
  ["an object of several", { anyOf: [{ required: ["a"] }, number] }, { a: 1 }, {}],
  ["an object without a type", { properties: { a: number } }, { a: 1 }, { a: "1" }],
  [
    "an object with a member of that name",
    { properties: { result: number } },
    { result: 1 },
    { result: "" },
  ],
  ["$defs", { items: { $ref: "#/$defs/a" }, $defs: { a: number } }, [1], ["1"]],
  [
    "definitions of an older draft",
    { $schema: draft7, items: { $ref: "#/definitions/a" }, definitions: { a: number } },
    [1],
    ["1"],
  ],
  ["a reference to the whole", tree, [[], [[]]], [[], [1]]],
  ["a reference to a part", { anyOf: [pair, number] }, { b: [1] }, { b: ["1"] }],
  ["references that begin at an $id", ownIds, [1], ["1"]],
  ["a part with an $id", { properties: { a: ownIds } }, { a: [1] }, { a: ["1"] }],
  [
    "an array named $ref",
    { properties: { $ref: { items: number } } },
    { $ref: [1] },
    { $ref: [""] },
  ],
];

test.each(schemas)(
  "a result is an object that matches the announced schema whenever it matched before: %s",
  (_, outputSchema, fitting, other) => {
    const tool = { name: "lines", inputSchema, outputSchema };
    const announced = objectTool(tool).outputSchema;
    expect(announced).toMatchObject({ type: "object" });
    const check = jsonSchemaValidator.compile(announced ?? {});
    const contents = [fitting, other].map(
      (structuredContent) =>
        objectResult(tool, { content: [], structuredContent }).structuredContent,
    );
    expect(contents.map(isObject)).toEqual([true, true]);
    expect(contents.map((each) => check(each).ok)).toEqual([true, false]);
  },
);

test("an object schema is announced unchanged, and its results stay complete", () => {
  const outputSchema = { type: "object" };
  const tool = { name: "line", inputSchema, outputSchema };
  expect(objectTool(tool)).toBe(tool);
  expect(objectTool(getDiagnostics)).toBe(getDiagnostics);
});
