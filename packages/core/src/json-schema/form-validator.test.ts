import { expect, test } from "vitest";
import { formValidator } from "./form-validator.ts";

const form = (field: object, more: object = {}) =>
  formValidator.compile({ type: "object", properties: { a: field }, ...more });

test.each([
  ["a pattern", form({ type: "string", pattern: "^(a+)+$" }), { a: "aaa!" }],
  ["an invalid pattern", form({ type: "string", pattern: "(" }), { a: "x" }],
  ["a pattern of names", form({}, { patternProperties: { "^(a+)+$": false } }), { a: "x" }],
  ["a condition", form({ type: "string", not: { pattern: "x" } }), { a: "x" }],
  ["a pattern in choices", form({ type: "array", items: { pattern: "(" } }), { a: ["x"] }],
  ["a reference", form({ type: "string", $ref: "#/none" }), { a: "x" }],
])("an answer is not checked against keywords that MCP's forms lack: %s", (_, check, value) => {
  expect(check(value)).toEqual({ ok: true, value });
});

const titled = (word: "oneOf" | "anyOf") => ({ [word]: [{ const: "x", title: "X" }] });

test.each([
  ["a type", { type: "string" }, 1],
  ["a length", { type: "string", minLength: 2 }, "x"],
  ["a length", { type: "string", maxLength: 2 }, "xxx"],
  ["a format", { type: "string", format: "email" }, "x"],
  ["a limit", { type: "number", minimum: 2 }, 1],
  ["a limit", { type: "integer", maximum: 2 }, 3],
  ["a choice", { type: "string", enum: ["x"] }, "y"],
  ["a titled choice", { type: "string", ...titled("oneOf") }, "y"],
  ["several choices", { type: "array", items: { type: "string", enum: ["x"] } }, ["y"]],
  ["several titled choices", { type: "array", items: titled("anyOf") }, ["y"]],
  ["a number of choices", { type: "array", items: { enum: ["x"] }, minItems: 1 }, []],
  ["a number of choices", { type: "array", items: { enum: ["x"] }, maxItems: 1 }, ["x", "x"]],
])("an answer is checked against keywords that MCP's forms have: %s, %j", (_, field, wrong) => {
  expect(form(field)({ a: wrong }).ok).toBe(false);
  expect(formValidator.compile(field)(wrong).ok).toBe(false);
});

test("a required field must be present", () => {
  expect(form({ type: "string" }, { required: ["a"] })({}).ok).toBe(false);
});
