import { expect, test } from "vitest";
import { compareSurfaces } from "./compare-surfaces.ts";
import {
  formatSurface,
  parseSurface,
  type ServerSurface,
  type SurfaceEntry,
} from "./server-surface.ts";

const of = (...tools: readonly SurfaceEntry[]): ServerSurface => ({
  ...{ tools, prompts: [], resourceTemplates: [] },
});
const object = (properties: object, ...required: readonly string[]) => ({
  ...{ type: "object", properties, required },
});
const input = (properties: object, ...required: readonly string[]) =>
  of({ name: "a", inputSchema: object(properties, ...required) });
const output = (properties: object, ...required: readonly string[]) =>
  of({ name: "a", inputSchema: {}, outputSchema: object(properties, ...required) });
const string = { type: "string" };
const bounded = (minimum: number) => ({ type: "number", minimum });

const cases: readonly (readonly [string, string, ServerSurface, ServerSurface])[] = [
  ["breaking", "was removed", of({ name: "a" }), of()],
  ["compatible", "was added", of(), of({ name: "a" })],
  ["breaking", "x was added and is required", input({}), input({ x: string }, "x")],
  ["compatible", "x was added", input({}), input({ x: string })],
  ["breaking", "x is now required", input({ x: string }), input({ x: string }, "x")],
  ["compatible", "x is no longer required", input({ x: string }, "x"), input({ x: string })],
  ["breaking", "x was removed", input({ x: string }), input({})],
  [
    "breaking",
    'x: type no longer admits "number"',
    input({ x: { type: ["number", "null"] } }),
    input({ x: { type: ["integer", "null"] } }),
  ],
  [
    "compatible",
    'x: type also admits "number"',
    input({ x: { type: "integer" } }),
    input({ x: { type: "number" } }),
  ],
  [
    "breaking",
    'x: enum no longer admits "b"',
    input({ x: { enum: ["a", "b"] } }),
    input({ x: { enum: ["a"] } }),
  ],
  [
    "compatible",
    'x: enum also admits "b"',
    input({ x: { enum: ["a"] } }),
    input({ x: { enum: ["a", "b"] } }),
  ],
  [
    "breaking",
    'x: enum ["a"] was added',
    input({ x: string }),
    input({ x: { ...string, enum: ["a"] } }),
  ],
  ["breaking", "x: minimum was 1, is 2", input({ x: bounded(1) }), input({ x: bounded(2) })],
  ["compatible", "x: minimum was 2, is 1", input({ x: bounded(2) }), input({ x: bounded(1) })],
  [
    "breaking",
    "x.y was added and is required",
    input({ x: object({}) }),
    input({ x: object({ y: string }, "y") }),
  ],
  [
    "breaking",
    'x[]: type no longer admits "string"',
    input({ x: { items: { type: ["string", "null"] } } }),
    input({ x: { items: { type: "null" } } }),
  ],
  [
    "text",
    "x: description has changed",
    input({ x: string }),
    input({ x: { ...string, description: "d" } }),
  ],
  ["text", "description has changed", of({ name: "a" }), of({ name: "a", description: "d" })],
  ["compatible", "annotations has changed", of({ name: "a" }), of({ name: "a", annotations: {} })],
  ["compatible", "x was added", output({}), output({ x: string })],
  ["breaking", "x was removed", output({ x: string }), output({})],
  ["breaking", "x is no longer required", output({ x: string }, "x"), output({ x: string })],
  [
    "breaking",
    'x: type also admits "null"',
    output({ x: string }),
    output({ x: { type: ["string", "null"] } }),
  ],
  ["breaking", "outputSchema was removed", output({}), of({ name: "a", inputSchema: {} })],
];

test.each(cases)("%s: %s", (kind, detail, before, after) => {
  expect(compareSurfaces(before, after)).toEqual([{ kind, what: "tool a", detail }]);
});

test("an added entry with the arguments and the description of a removed one counts as renamed", () => {
  const [before, after] = ["old", "new"].map((name) => of({ name, description: "Reads a file" }));
  expect(compareSurfaces(before ?? of(), after ?? of())).toEqual([
    { kind: "breaking", what: "tool old", detail: "was renamed to new" },
  ]);
});

test("prompts are compared by their arguments, and templates by their addresses", () => {
  const surface = (required: boolean, uriTemplate: string): ServerSurface => ({
    tools: [],
    prompts: [{ name: "greet", arguments: [{ name: "who", required }] }],
    resourceTemplates: [{ uriTemplate, name: "note" }],
  });
  expect(compareSurfaces(surface(false, "note://{id}"), surface(true, "notes://{id}"))).toEqual([
    { kind: "breaking", what: "prompt greet", detail: "who is now required" },
    { kind: "breaking", what: "resource template note://{id}", detail: "was removed" },
    { kind: "compatible", what: "resource template notes://{id}", detail: "was added" },
  ]);
});

test("a surface has one text, whatever the order of its entries, and is parsed from it", () => {
  const entries = [
    { name: "b", inputSchema: { type: "object", properties: {} }, _meta: { at: 1 } },
    { name: "a" },
  ];
  const text = formatSurface(of(...entries));
  const other = { inputSchema: { properties: {}, type: "object" }, name: "b" };
  expect(formatSurface(of({ name: "a" }, other))).toBe(text);
  expect(compareSurfaces(parseSurface(text) ?? of(), of({ name: "a" }, other))).toEqual([]);
  expect(parseSurface(`\uFEFF${text}`)).toEqual(parseSurface(text));
  for (const bad of ["", "[]", "{}", '{"tools":[1]}']) expect(parseSurface(bad)).toBe(undefined);
});
