import * as v from "valibot";
import { expect, test } from "vitest";
import type { ObjectSchema } from "../protocol.ts";
import { compileInput, compileOutput } from "./compile-schema.ts";
import type { StandardSchema } from "./standard-schema.ts";

const jsonSchema: ObjectSchema = { type: "object", properties: { n: { type: "number" } } };
const schema = v.object({ n: v.number(), list: v.optional(v.array(v.string())) });

/** A library that writes JSON Schema itself. */
function library(standard: Partial<StandardSchema<unknown>["~standard"]>): StandardSchema<unknown> {
  const validate = (value: unknown) => ({ value });
  return { "~standard": { version: 1, vendor: "lib", validate, ...standard } };
}

test("a schema without JSON Schema is refused naming its owner", () => {
  expect(() => compileInput('tool "t", input', library({}))).toThrow(
    'tool "t", input: this version of lib gives no JSON Schema',
  );
});

test("a schema of valibot is converted", () => {
  expect(compileInput("it", schema).jsonSchema).toEqual({
    type: "object",
    properties: { n: { type: "number" }, list: { type: "array", items: { type: "string" } } },
    required: ["n"],
  });
  const length = v.pipe(
    v.string(),
    v.transform((text) => text.length),
  );
  expect(compileInput("it", v.object({ length })).jsonSchema["properties"]).toEqual({
    length: { type: "string" },
  });
  expect(() => compileOutput("it", v.object({ length }))).toThrow("it: ");
});

test("a schema is compiled once", () => {
  expect(compileInput("it", schema)).toBe(compileInput("other", schema));
});

test.each([
  ["a record of schemas", { n: v.number() }],
  ["a text", "object"],
  ["nothing", undefined],
  ["null", null],
  ["a function", () => ({ type: "object" })],
  ["an array", [schema]],
])("%s is not a schema", (_, given) => {
  expect(() => compileInput('tool "t"', given as never)).toThrow('tool "t": expected a');
});

test("a schema that generates JSON Schema is asked for 2020-12 of the requested side", () => {
  const calls: unknown[] = [];
  const write = (side: string) => (options: unknown) => {
    calls.push([side, options]);
    return { $schema: "https://json-schema.org/draft/2020-12/schema", ...jsonSchema };
  };
  const full = library({ jsonSchema: { input: write("input"), output: write("output") } });
  expect(compileInput("it", full).jsonSchema).toEqual(jsonSchema);
  expect(compileOutput("it", full).jsonSchema).toEqual(jsonSchema);
  const target = { target: "draft-2020-12" };
  expect(calls).toEqual([
    ["input", target],
    ["output", target],
  ]);
});

test("an input of anything but an object is refused when the tool is created", () => {
  const write = () => ({ type: "string" });
  const text = library({ jsonSchema: { input: write, output: write } });
  expect(() => compileInput("it", text)).toThrow('expected a schema of an object, got "string"');
});

test("an output may be any JSON value, by any kind of schema", async () => {
  const write = () => ({ type: "string" });
  const validate = (value: unknown) =>
    typeof value === "string" ? { value } : { issues: [{ message: "no text" }] };
  const text = library({ validate, jsonSchema: { input: write, output: write } });
  const list = { type: "array", items: { type: "number" } };
  const outputs = [
    [compileOutput("it", text), "x", ["x"]],
    [compileOutput("it", list), [1, 2], ["1"]],
  ] as const;
  expect(outputs.map(([{ jsonSchema: type }]) => type)).toEqual([{ type: "string" }, list]);
  for (const [output, good, bad] of outputs) {
    await output.load?.();
    expect(output.parse(good)).toEqual({ ok: true, value: good });
    expect(output.parse(bad).ok).toBe(false);
  }
});

test("a valid value is returned as the schema transforms it", () => {
  const input = compileInput("it", schema);
  expect(input.parse({ n: 1, more: 2 })).toEqual({ ok: true, value: { n: 1 } });
});

test.each([
  [{ n: "x" }, 'n: expected number, got "x"'],
  [{ n: 1, list: ["a", 5] }, "list.1: expected string, got 5"],
  [[], "expected object, got []"],
  [undefined, "expected object, got nothing"],
])("%j is refused as %s", (value, issue) => {
  const input = compileInput("it", schema);
  expect(input.parse(value)).toEqual({ ok: false, issue });
});

test("issues may have no path, or plain keys", () => {
  const issues = [{ message: "bad" }, { message: "worse", path: ["a", 0] }];
  const write = () => ({ ...jsonSchema });
  const validate = () => ({ issues });
  const described = library({ validate, jsonSchema: { input: write, output: write } });
  const input = compileInput("it", described);
  expect(input.parse({})).toEqual({ ok: false, issue: "bad; a.0: worse" });
});

test("an asynchronous validation is refused", () => {
  const validate = async (value: unknown) => ({ value });
  const write = () => ({ ...jsonSchema });
  const described = library({ validate, jsonSchema: { input: write, output: write } });
  const input = compileInput("it", described);
  expect(() => input.parse({})).toThrow("must validate synchronously");
});
