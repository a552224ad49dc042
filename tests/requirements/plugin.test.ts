import { expect, test } from "vitest";
import { citedIds } from "./cited.ts";
import { plugin } from "./plugin.ts";

const cited = citedIds("plugin");

test("every statement on the plugin has an id of its own, and a behaviour", () => {
  const ids = plugin.map((statement) => statement.id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, source, behaviour } of plugin) {
    expect(id).toMatch(/^plugin:([1-9]|bad|peers):[a-z0-9-]+$/);
    expect(source, id).not.toBe("");
    expect(behaviour, id).not.toBe("");
  }
});

test("every statement on the plugin is proven by a test", () => {
  expect(plugin.map(({ id }) => id).filter((id) => !cited.has(id))).toEqual([]);
});

test("no test cites what is not stated of the plugin", () => {
  const known = plugin.map(({ id }) => id);
  expect([...cited].filter((id) => !known.includes(id))).toEqual([]);
});
