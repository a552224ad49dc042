import { expect, test } from "vitest";
import { enteredFor, startOf, toArguments, toFields } from "./tool-fields.ts";

const fields = toFields({
  required: ["name", "size"],
  properties: {
    name: { type: "string" },
    size: { enum: [1, "two", null] },
    note: { type: ["string", "null"], default: "none" },
    limit: { anyOf: [{ type: "integer" }, { type: "null" }] },
    colour: { oneOf: [{ const: "r", title: "Red" }] },
    deep: { type: "object" },
  },
});

test("a null, an empty required text and a value that is left out are three things", () => {
  const filled = { name: "", note: null, limit: null };
  expect(toArguments(fields, filled)).toEqual({ name: "", note: null, limit: null });
  expect(toArguments(fields, { note: "", limit: "" })).toEqual({});
});

test("a value of an enumeration arrives with its own type", () => {
  expect(toArguments(fields, { size: "1" })).toEqual({ size: 1 });
  expect(toArguments(fields, { size: "two", colour: "r" })).toEqual({ size: "two", colour: "r" });
  expect(toArguments(fields, { size: "3" })).toBe("size: expected one of the choices, got 3");
});

test("a form begins with the defaults of its schema", () => {
  expect(startOf(fields)).toEqual({ note: "none" });
});

test("what no field can enter is JSON", () => {
  expect(toArguments(fields, { deep: '{"a":[1]}', limit: "7" })).toEqual({
    deep: { a: [1] },
    limit: 7,
  });
  expect(toArguments(fields, { deep: "{" })).toBe("deep: expected JSON, got {");
});

test("a field with the name of a member of every object is empty until it is filled", () => {
  const schema = { properties: { constructor: { type: "number" }, toString: { type: "string" } } };
  const fields = toFields(schema);
  expect(fields.map(({ name }) => enteredFor({}, name))).toEqual([undefined, undefined]);
  expect(toArguments(fields, {})).toEqual({});
  expect(toArguments(fields, { constructor: "7" })).toEqual({ constructor: 7 });
});
