import { expect, test } from "vitest";
import { enteredFor, fromArguments, startOf, toArguments, toFields } from "./tool-fields.ts";

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

test("null, an empty required text and an omitted value are distinct", () => {
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

test("a value that no field can represent is entered as JSON", () => {
  expect(toArguments(fields, { deep: '{"a":[1]}', limit: "7" })).toEqual({
    deep: { a: [1] },
    limit: 7,
  });
  expect(toArguments(fields, { deep: "{" })).toBe("deep: expected JSON, got {");
});

test("a field named like an inherited member is empty until it is filled", () => {
  const schema = { properties: { constructor: { type: "number" }, toString: { type: "string" } } };
  const fields = toFields(schema);
  expect(fields.map(({ name }) => enteredFor({}, name))).toEqual([undefined, undefined]);
  expect(toArguments(fields, {})).toEqual({});
  expect(toArguments(fields, { constructor: "7" })).toEqual({ constructor: 7 });
});

test("values entered as JSON are shown in the form, which names those that it cannot show", () => {
  const fields = toFields({
    properties: {
      town: { type: "string" },
      days: { type: "integer" },
      metric: { type: "boolean" },
      level: { enum: [1, 2] },
      near: { type: ["string", "null"] },
      tags: { type: "array" },
    },
    required: ["town"],
  });
  const args = { town: "5", days: 0, metric: false, level: 2, near: null, tags: ["a"] };
  const filled = fromArguments(fields, args);
  expect(filled).toEqual({
    ...{ town: "5", days: "0", metric: "false", level: "2", near: null, tags: '["a"]' },
  });
  expect(typeof filled === "string" ? filled : toArguments(fields, filled)).toEqual(args);
  expect(fromArguments(fields, { town: 5 })).toBe("town: the form takes a text only");
  expect(fromArguments(fields, { days: "many" })).toBe("days: the form takes a number only");
  expect(fromArguments(fields, { near: "" })).toBe("near: the form leaves out an empty text");
  expect(fromArguments(fields, { level: 3 })).toBe("level: the form takes one of the choices only");
  expect(fromArguments(fields, { river: 1 })).toBe("river: the form has no such field");
  expect(fromArguments(fields, ["a"])).toBe("A form shows an object only");
});
