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

test("each of the nine points of the plugin has its tests, and the run lists them", () => {
  const list = plugin
    .filter(({ id }) => cited.has(id))
    .map(({ id, behaviour }) => `${id}: ${behaviour}`);
  for (let point = 1; point <= 9; point += 1) {
    expect(
      list.filter((line) => line.startsWith(`plugin:${point}:`)).length,
      `${point}`,
    ).toBeGreaterThan(0);
  }
  console.info(list.join("\n"));
});
