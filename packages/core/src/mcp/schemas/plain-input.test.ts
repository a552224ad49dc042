import * as v from "valibot";
import { expect, test } from "vitest";
import { compileInput } from "./compile-schema.ts";
import { plainInput } from "./plain-input.ts";

interface Everything {
  readonly path: string;
  readonly line: number;
  readonly force?: boolean;
  readonly names?: readonly string[];
  readonly uri?: string | null;
  readonly all?: Readonly<Record<string, unknown>>;
  readonly range: { readonly start: { readonly line: number }; readonly end?: string };
}

const schema = plainInput<Everything>({
  path: { type: "string", description: "Where" },
  line: { type: "number" },
  force: { type: "boolean", optional: true },
  names: { type: "array", items: { type: "string" }, optional: true, description: "Some" },
  uri: { type: "string", nullable: true, optional: true, description: "Or null" },
  all: { type: "object", optional: true },
  range: {
    type: "object",
    properties: {
      start: { type: "object", properties: { line: { type: "number" } } },
      end: { type: "string", optional: true },
    },
    description: "Of it",
  },
});

const input = compileInput("it", schema);

/** The same schema from the library. */
const reference = compileInput(
  "it",
  v.object({
    path: v.pipe(v.string(), v.description("Where")),
    line: v.number(),
    force: v.exactOptional(v.boolean()),
    names: v.exactOptional(v.pipe(v.array(v.string()), v.description("Some"))),
    uri: v.exactOptional(v.pipe(v.nullable(v.string()), v.description("Or null"))),
    all: v.exactOptional(v.record(v.string(), v.unknown())),
    range: v.pipe(
      v.object({ start: v.object({ line: v.number() }), end: v.exactOptional(v.string()) }),
      v.description("Of it"),
    ),
  }),
);

test("arguments are described as a general schema describes them", () => {
  const { properties } = reference.jsonSchema as { properties?: object };
  // `additionalProperties` of a record with any members is left out.
  const expected = { ...properties, all: { type: "object" } };
  expect(input.jsonSchema).toEqual({ ...reference.jsonSchema, properties: expected });
  expect(compileInput("it", plainInput<Record<never, never>>({})).jsonSchema).toEqual(
    compileInput("it", v.object({})).jsonSchema,
  );
});

const good = { path: "/a", line: 1, range: { start: { line: 2 } } };

test.each<unknown>([
  good,
  { ...good, force: false, names: ["a", ""], uri: null },
  { ...good, uri: "file:///a", range: { start: { line: 0 }, end: "x" } },
  { ...good, unknown: 1, range: { ...good.range, more: [] } },
  { ...good, names: [] },
  { ...good, all: { a: 1, b: [{}] } },
  { ...good, all: "a" },
  {},
  [],
  null,
  "text",
  { ...good, path: 5 },
  { ...good, line: "1" },
  { ...good, line: null },
  { ...good, force: "true" },
  { ...good, names: "a" },
  { ...good, names: { 0: "a" } },
  { ...good, names: ["a", 1, "b", null] },
  { ...good, uri: 7 },
  { ...good, range: { start: null } },
  { ...good, range: { start: { line: "x" }, end: {} } },
  { path: 1, line: "", range: 2, force: 3 },
  { path: "x".repeat(1000), line: ["x".repeat(1000)], range: {} },
  JSON.parse('{"__proto__":{"path":"/a","line":1},"constructor":1}'),
])("%j is judged as by a general schema", (value) => {
  expect(input.parse(value)).toEqual(reference.parse(value));
});

test("a list is not an object", () => {
  const issue = "range: expected object, got []";
  expect(input.parse({ ...good, range: [] })).toEqual({ ok: false, issue });
});

test("inherited properties do not count as given", () => {
  const odd = plainInput<{ readonly toString?: string; readonly valueOf: string }>({
    toString: { type: "string", optional: true },
    valueOf: { type: "string" },
  });
  const issue = "valueOf: expected string, got nothing";
  expect(compileInput("it", odd).parse({})).toEqual({ ok: false, issue });
});
