import { expect, test } from "vitest";
import { citedIds } from "./cited.ts";
import { playground } from "./playground.ts";

const cited = citedIds("playground");

test("every statement on the playground has an id of its own, and a behaviour", () => {
  const ids = playground.map((statement) => statement.id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, source, behaviour } of playground) {
    expect(id).toMatch(/^playground:([1-7]|built|bad):[a-z0-9-]+$/);
    expect(source, id).not.toBe("");
    expect(behaviour, id).not.toBe("");
  }
});

test("every statement on the playground is proven by a test", () => {
  expect(playground.map(({ id }) => id).filter((id) => !cited.has(id))).toEqual([]);
});

test("no test cites what is not stated of the playground", () => {
  const known = playground.map(({ id }) => id);
  expect([...cited].filter((id) => !known.includes(id))).toEqual([]);
});

test("each of the seven points of the playground has its tests, and the run lists them", () => {
  const list = playground
    .filter(({ id }) => cited.has(id))
    .map(({ id, behaviour }) => `${id}: ${behaviour}`);
  for (let point = 1; point <= 7; point += 1) {
    expect(
      list.filter((line) => line.startsWith(`playground:${point}:`)).length,
      `${point}`,
    ).toBeGreaterThan(0);
  }
  console.info(list.join("\n"));
});
