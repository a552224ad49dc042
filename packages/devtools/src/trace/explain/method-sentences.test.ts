import { expect, test } from "vitest";
import { ideEvents } from "../catalogue/ide-events.ts";
import { mcpMethods } from "../catalogue/mcp-methods.ts";
import { methodSentences } from "./method-sentences.ts";

const ends = { agent: "client", ide: "server" };

test("every method that the catalogue describes has a sentence, and a source", () => {
  // A call is explained by its tool.
  const methods = [...mcpMethods.keys()].filter((method) => method !== "tools/call");
  const described = [...methods, ...ideEvents.map(({ method }) => method)];
  expect(described.filter((method) => !Object.hasOwn(methodSentences, method))).toEqual([]);
});

test.each(Object.keys(methodSentences))("the sentence of %s needs no parameters", (method) => {
  const [describe, source] = methodSentences[method] ?? [];
  expect(describe?.({}, ends)).toMatch(/^[A-Z].*[.:]|: nothing$/);
  expect(source).not.toBe("");
});
