import { expect, test } from "vitest";
import type { ObjectSchema } from "../mcp/protocol.ts";
import { compileInput } from "../mcp/schemas/compile-schema.ts";
import { jsonSchemaValidator } from "./validator.ts";

const person: ObjectSchema = {
  type: "object",
  properties: {
    name: { $ref: "#/$defs/name" },
    age: { type: "integer", minimum: 0 },
    "a/b~c d": { type: "boolean" },
    pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] },
  },
  required: ["name"],
  additionalProperties: false,
  $defs: { name: { type: "string", minLength: 1 } },
};

const input = compileInput("it", person);
await input.load?.();

test("the schema is returned as given, without changes", async () => {
  expect(input.jsonSchema).toBe(person);
  expect(Object.getOwnPropertyNames(person["properties"])).toEqual(
    Object.keys(person["properties"] as object),
  );
  const frozen: ObjectSchema = Object.freeze({ ...person });
  const ofFrozen = compileInput("it", frozen);
  await ofFrozen.load?.();
  expect(ofFrozen.parse({ name: "a" }).ok).toBe(true);
});

test("a valid value is returned unchanged", () => {
  const value = { name: "Ann", age: 3, pair: ["a", 1] };
  expect(input.parse(value)).toEqual({ ok: true, value });
});

test.each([
  [{ name: 5 }, 'name: Instance type "number" is invalid. Expected "string". Got 5'],
  [{ name: "" }, 'name: String is too short (0 < 1). Got ""'],
  [{ name: "a", age: -1 }, "age: -1 is less than 0. Got -1"],
  [{ name: "a", pair: [1] }, 'pair.0: Instance type "number" is invalid. Expected "string". Got 1'],
  [
    { name: "a", "a/b~c d": 0 },
    'a/b~c d: Instance type "number" is invalid. Expected "boolean". Got 0',
  ],
  [{}, 'it: Instance does not have required property "name". Got {}'],
  [[], "expected object, got []"],
  [undefined, "expected object, got nothing"],
])("%j is refused as %s", (value, issue) => {
  expect(input.parse(value)).toEqual({ ok: false, issue });
});

test.each(["https://x.test/schema.json", "other.json", "#/$defs/none", "#nowhere"])(
  "a reference to %s, which is not in the schema, is refused when the check is made",
  ($ref) => {
    const schema = { type: "object", properties: { a: { items: { $ref } } } };
    expect(() => jsonSchemaValidator.compile(schema)).toThrow(
      expect.objectContaining({ code: "invalid-argument", message: expect.stringContaining($ref) }),
    );
  },
);

test("a reference to a subschema with its own $id is resolved", () => {
  const check = jsonSchemaValidator.compile({
    $ref: "https://x.test/part",
    $defs: { part: { $id: "https://x.test/part", type: "string" } },
  });
  expect([check("a").ok, check(1).ok]).toEqual([true, false]);
});

test.each([
  ["http://json-schema.org/draft-07/schema#", { items: [{ type: "string" }] }, false],
  ["https://json-schema.org/draft/2020-12/schema", { prefixItems: [{ type: "string" }] }, false],
])("the dialect %s is supported", ($schema, schema, ok) => {
  expect(jsonSchemaValidator.compile({ $schema, ...schema })([1]).ok).toBe(ok);
});

test("an unknown dialect is refused when the schema is compiled", () => {
  expect(() => jsonSchemaValidator.compile({ $schema: "https://x.test/mine" })).toThrow(
    'Unknown dialect of JSON Schema: "https://x.test/mine"',
  );
});

test.each([
  ["an invalid pattern", { properties: { a: { pattern: "(" } } }, { a: "x" }],
  ["a key with a lone surrogate", { additionalProperties: { type: "string" } }, { "\ud800": "x" }],
])("%s refuses the value without throwing", (_, schema, value) => {
  expect(jsonSchemaValidator.compile(schema)(value)).toMatchObject({
    ok: false,
    issue: expect.stringContaining("cannot be validated"),
  });
});
