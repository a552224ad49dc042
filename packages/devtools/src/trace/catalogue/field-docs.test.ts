import { expect, test } from "vitest";
import type { FrameFacts } from "../rows/frame-index.ts";
import { docsOf, fieldsOf } from "./field-docs.ts";
import { ideEvents } from "./ide-events.ts";
import { claudeTools } from "./ide-tools.ts";
import { mcpMethods } from "./mcp-methods.ts";

const facts = (more: Partial<FrameFacts>): FrameFacts => ({
  ...{ n: 1, number: 1, t: 0, ch: "c1", dir: "agent>ide", kind: "request", units: 2 },
  ...more,
});

test("a tool call has docs for its method and arguments, and its answer for its content", () => {
  const call = { method: "tools/call", tool: "openDiff" };
  const titles = (more: Partial<FrameFacts>) => docsOf(facts(more)).map(({ title }) => title);
  expect(titles(call)).toEqual(["Params of tools/call", "Arguments of openDiff"]);
  expect(titles({ ...call, kind: "result" })).toEqual([
    "Result of tools/call",
    "Answer of openDiff",
  ]);
  expect(titles({ ...call, kind: "error" })).toEqual(["Error"]);
  expect(titles({ kind: "notification", method: "at_mentioned" })).toEqual([
    "Params of at_mentioned",
  ]);
  expect(titles({ method: "no/such" })).toEqual([]);
});

test("the docs name the sender of a request, and the other end as the sender of the answer", () => {
  const sent = (method: string, kind: FrameFacts["kind"]) =>
    docsOf(facts({ method, kind }))[0]?.about;
  expect(sent("tools/call", "request")).toContain("Sent by the agent.");
  expect(sent("tools/call", "result")).toContain("Sent by the editor.");
  expect(sent("roots/list", "request")).toContain("Sent by the editor.");
  expect(sent("roots/list", "result")).toContain("Sent by the agent.");
  expect(sent("ping", "result")).toContain("Sent by the agent or the editor.");
});

test("an unknown tool has the docs that its server listed", () => {
  const inputSchema = {
    type: "object",
    properties: { size: { type: "number", description: "In m" } },
  };
  const [, docs] = docsOf(facts({ method: "tools/call", tool: "mine" }), {
    description: "Mine",
    inputSchema,
  });
  expect(docs?.fields).toEqual([
    { name: "size", depth: 0, type: "number", required: false, about: "In m" },
  ]);
  expect(docs?.about).toEqual(["Mine"]);
});

test("each field is followed by its own members", () => {
  const selection = ideEvents.find(({ method }) => method === "selection_changed");
  const fields = fieldsOf(selection?.schema ?? {}).map(({ name, depth }) => `${depth} ${name}`);
  expect(fields.slice(0, 4)).toEqual(["0 selection", "1 start", "2 line", "2 character"]);
});

test("every method and every tool has docs with a source", () => {
  for (const { method, kind } of mcpMethods.values()) {
    for (const section of docsOf(facts({ method, kind }))) expect(section.source).toMatch(/^MCP, /);
  }
  for (const tool of claudeTools().keys()) {
    expect(docsOf(facts({ method: "tools/call", tool })).at(-1)?.source).not.toBe("");
  }
});

test("a hostile server's schema causes no exception", () => {
  const strange = [
    { properties: { a: 7 } },
    { properties: { a: { items: 3, anyOf: "x", enum: "y", type: 5 } }, required: "a" },
    { anyOf: [null] },
    { items: { properties: { a: { type: "array", items: { properties: {} } } } } },
  ];
  for (const schema of strange) expect(() => fieldsOf(schema as never)).not.toThrow();
});
