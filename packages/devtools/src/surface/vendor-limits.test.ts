import { expect, test } from "vitest";
import { findRefusals } from "./vendor-limits.ts";

const plain = { type: "object", properties: { city: { type: "string" } } };

function seen(name: string, inputSchema: object, server = "s"): readonly string[] {
  return findRefusals([{ name, inputSchema }], server).map(
    ({ vendor, pointer, words }) => `${vendor} ${pointer}: ${words}`,
  );
}

test("no vendor refuses a plain tool", () => {
  expect(seen("get_weather", plain)).toEqual([]);
});

test("each vendor has its own rule for names; some count the name of the server", () => {
  expect(seen("a.b", plain)).toEqual([
    "Anthropic : the name does not match ^[a-zA-Z0-9_-]{1,128}$",
    "OpenAI : the name does not match ^[a-zA-Z0-9_-]{1,64}$",
  ]);
  expect(seen("1st", plain)).toEqual([
    "Gemini : the name does not match ^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$",
  ]);
  const long = "a".repeat(55);
  expect(seen(long, plain).join()).toBe("");
  expect(seen(long, plain, "server").join()).toMatch(/Claude Code .*68.*Cursor .*62/);
});

test("keywords are reported where the vendor's API refuses them, with their path", () => {
  const input = {
    type: "object",
    anyOf: [{ required: ["a"] }],
    properties: {
      "a[]": { type: "array" },
      url: { type: "string", format: "uri" },
      size: { type: ["integer", "null"], enum: [1, 2] },
      deep: { type: "object", properties: { "x/y": { $ref: "#/$defs/x" } } },
    },
    $defs: { x: { const: 1 } },
  };
  expect(seen("tool", input)).toEqual([
    "Anthropic /anyOf: anyOf at the top level",
    "Anthropic /properties/a[]: the key does not match ^[a-zA-Z0-9_.-]{1,64}$",
    "Anthropic /properties/deep/properties/x~1y: the key does not match ^[a-zA-Z0-9_.-]{1,64}$",
    "OpenAI /anyOf: anyOf at the top level",
    "OpenAI /properties/a[]: an array without items",
    "Gemini /properties/a[]: an array without items",
    "Gemini /properties/url/format: the format uri of a string",
    "Gemini /properties/size/enum: an enum of other values than texts",
    "Gemini /properties/size/type: a list of types",
    "Gemini /properties/deep/properties/x~1y/$ref: the keyword $ref",
    "Gemini /$defs/x/const: the keyword const",
  ]);
});

test("every source is a URL, and the refusals of a huge schema are limited", () => {
  const wide = {
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: 5_000 }, (_, at) => [`k${at}`, { type: "array" }]),
    ),
  };
  const found = findRefusals([{ name: "x y", inputSchema: wide }], "s");
  expect(found.length).toBeLessThan(10_000);
  for (const { source } of found) expect(URL.canParse(source)).toBe(true);
});
