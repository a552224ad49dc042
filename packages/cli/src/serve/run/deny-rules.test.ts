import { expect, test } from "vitest";
import { denyRules, fittingRules } from "./deny-rules.ts";

test("if an argument cannot hold all rules, the first ones are passed", () => {
  const globs = Array.from({ length: 3_000 }, (_, index) => `/notes/ü ${index}.md`);
  const rules = denyRules(["/vault"], globs);
  const fitting = fittingRules(rules);
  expect(fitting).toEqual(rules.slice(0, fitting.length));
  expect(fitting.length).toBeGreaterThan(1_000);
  const settings = JSON.stringify({ permissions: { deny: fitting } });
  expect(Buffer.byteLength(settings)).toBeLessThan(131_072);
  expect(fittingRules(rules.slice(0, 10))).toHaveLength(10);
});
