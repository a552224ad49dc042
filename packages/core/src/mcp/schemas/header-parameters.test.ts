import { expect, test } from "vitest";
import { compileInput, compileOutput } from "./compile-schema.ts";

const defined = (properties: object, more: object = {}) =>
  compileInput("tool", { type: "object", properties, ...more });

const header = (name: unknown, type: unknown = "string") => ({ type, "x-mcp-header": name });

test("a tool may have its texts, integers and booleans repeated in headers", () => {
  const properties = {
    region: header("Region"),
    nested: { type: "object", properties: { size: header("X-Size", "integer") } },
    force: header("~force!", "boolean"),
  };
  expect(defined(properties).jsonSchema["properties"]).toBe(properties);
});

test("a property named like the keyword declares no header", () => {
  expect(() => defined({ "x-mcp-header": { type: "object" } })).not.toThrow();
});

test("data that looks like the keyword declares no header", () => {
  const value = { "x-mcp-header": "" };
  const member = { type: "object", default: value, enum: [value], examples: [value] };
  expect(() => defined({ member })).not.toThrow();
});

test.each([
  ["", "the name of a header"],
  ["a b", "the name of a header"],
  ["a:b", "the name of a header"],
  ["a\r\nb", "the name of a header"],
  ["é", "the name of a header"],
  [5, "the name of a header"],
  [null, "the name of a header"],
])("the header %j is refused when the tool is defined", (name, words) => {
  expect(() => defined({ a: header(name) })).toThrow(words);
});

test.each(["number", "object", "array", "null", ["string"], undefined])(
  "a header of the type %j is refused",
  (type) => {
    expect(() => defined({ a: { type, "x-mcp-header": "A" } })).toThrow(
      "x-mcp-header: expected on a string",
    );
  },
);

test("a schema of another library follows the same rules", () => {
  const validate = (value: unknown) => ({ value });
  const write = () => ({ type: "object", properties: { a: header("a b") } });
  const jsonSchema = { input: write, output: write };
  const library = { "~standard": { version: 1, vendor: "v", validate, jsonSchema } } as const;
  expect(() => compileInput("tool", library)).toThrow("the name of a header");
  expect(() => compileOutput("tool", library)).not.toThrow();
});

test("two headers of one name are refused, whatever the case", () => {
  expect(() => defined({ a: header("Region"), b: header("REGION") })).toThrow("each name once");
});

test.each([
  ["items", { a: { type: "array", items: header("A") } }, {}],
  ["oneOf", { a: { oneOf: [header("A")] } }, {}],
  ["a condition", {}, { if: { properties: { a: header("A") } } }],
  ["$defs", {}, { $defs: { a: header("A") } }],
  ["additionalProperties", {}, { additionalProperties: header("A") }],
])("a header in %s is refused", (_, properties, more) => {
  expect(() => defined(properties, more)).toThrow("`properties` lead to");
});
