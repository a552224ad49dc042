import * as v from "valibot";
import { expect, test } from "vitest";
import { jsonSchemaValidator } from "../../json-schema/index.ts";
import type { ObjectSchema } from "../protocol.ts";
import { outputFromJsonSchema } from "./schema-validator.ts";
import { fromStandardSchema, type StandardSchema } from "./standard-schema.ts";

const jsonSchema: ObjectSchema = { type: "object", properties: { n: { type: "number" } } };
const schema = v.object({ n: v.number(), list: v.optional(v.array(v.string())) });

/** A library that writes JSON Schema itself. */
function library(standard: Partial<StandardSchema<unknown>["~standard"]>): StandardSchema<unknown> {
  const validate = (value: unknown) => ({ value });
  return { "~standard": { version: 1, vendor: "lib", validate, ...standard } };
}

test("a schema that generates no JSON Schema needs one passed beside it", () => {
  expect(fromStandardSchema(schema, { jsonSchema }).jsonSchema).toBe(jsonSchema);
  expect(() => fromStandardSchema(schema)).toThrow("valibot generates no JSON Schema");
});

test("a schema that generates JSON Schema is asked for 2020-12 of the requested side", () => {
  const asked: unknown[] = [];
  const write = (side: string) => (options: unknown) => {
    asked.push([side, options]);
    return { $schema: "https://json-schema.org/draft/2020-12/schema", ...jsonSchema };
  };
  const full = library({ jsonSchema: { input: write("input"), output: write("output") } });
  expect(fromStandardSchema(full).jsonSchema).toEqual(jsonSchema);
  expect(fromStandardSchema(full, { side: "output" }).jsonSchema).toEqual(jsonSchema);
  const target = { target: "draft-2020-12" };
  expect(asked).toEqual([
    ["input", target],
    ["output", target],
  ]);
});

test("an input of anything but an object is refused when the tool is created", () => {
  const write = () => ({ type: "string" });
  const text = library({ jsonSchema: { input: write, output: write } });
  expect(() => fromStandardSchema(text)).toThrow('must describe an object, got "string"');
});

test("an output may be any JSON value, by any kind of schema", () => {
  const write = () => ({ type: "string" });
  const validate = (value: unknown) =>
    typeof value === "string" ? { value } : { issues: [{ message: "no text" }] };
  const text = library({ validate, jsonSchema: { input: write, output: write } });
  const list = { type: "array", items: { type: "number" } };
  const outputs = [
    [fromStandardSchema(text, { side: "output" }), "x", ["x"]],
    [outputFromJsonSchema(list, jsonSchemaValidator), [1, 2], ["1"]],
  ] as const;
  expect(outputs.map(([{ jsonSchema: type }]) => type)).toEqual([{ type: "string" }, list]);
  for (const [output, good, bad] of outputs) {
    expect(output.parse(good)).toEqual({ ok: true, value: good });
    expect(output.parse(bad).ok).toBe(false);
  }
});

test("a valid value is returned as the schema transforms it", () => {
  const input = fromStandardSchema(schema, { jsonSchema });
  expect(input.parse({ n: 1, more: 2 })).toEqual({ ok: true, value: { n: 1 } });
});

test.each([
  [{ n: "x" }, 'n: Invalid type: Expected number but received "x"'],
  [{ n: 1, list: ["a", 5] }, "list.1: Invalid type: Expected string but received 5"],
  [[], "expected object, got []"],
  [undefined, "expected object, got nothing"],
])("%j is refused as %s", (value, issue) => {
  const input = fromStandardSchema(schema, { jsonSchema });
  expect(input.parse(value)).toEqual({ ok: false, issue });
});

test("issues may have no path, or plain keys", () => {
  const issues = [{ message: "bad" }, { message: "worse", path: ["a", 0] }];
  const input = fromStandardSchema(library({ validate: () => ({ issues }) }), { jsonSchema });
  expect(input.parse({})).toEqual({ ok: false, issue: "bad; a.0: worse" });
});

test("an asynchronous validation is refused", () => {
  const validate = async (value: unknown) => ({ value });
  const input = fromStandardSchema(library({ validate }), { jsonSchema });
  expect(() => input.parse({})).toThrow("must validate synchronously");
});
