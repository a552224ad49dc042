import * as v from "valibot";
import { expect, test } from "vitest";
import { plainInput } from "./plain-input.ts";
import { valibotInput } from "./tool-input.ts";

const schema = v.object({
  path: v.pipe(v.string(), v.description("Where")),
  line: v.number(),
  force: v.exactOptional(v.boolean()),
  names: v.exactOptional(v.pipe(v.array(v.string()), v.description("Some"))),
  uri: v.exactOptional(v.pipe(v.nullable(v.string()), v.description("Or null"))),
  range: v.pipe(v.object({ start: v.object({ line: v.number() }) }), v.description("Of it")),
});

test("plain schemas are converted like by the full conversion", () => {
  for (const plain of [schema, v.object({})]) {
    expect(plainInput(plain).jsonSchema).toEqual(valibotInput(plain).jsonSchema);
  }
});

test("arguments are checked as by any valibot input", () => {
  const good = { path: "/a", line: 1, uri: null, range: { start: { line: 2 } } };
  const bad = { ...good, line: "1", range: {} };
  expect(plainInput(schema).parse(good)).toEqual({ ok: true, value: good });
  expect(plainInput(schema).parse(bad)).toEqual(valibotInput(schema).parse(bad));
});

test("an unsupported schema is refused when the tool is created", () => {
  const union = v.object({ either: v.union([v.string(), v.number()]) });
  expect(() => plainInput(union)).toThrow("plainInput does not support the schema union");
});
