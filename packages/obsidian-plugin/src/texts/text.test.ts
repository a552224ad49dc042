import { expect, test } from "vitest";
import { texts } from "./index.ts";

test("a value appears as it is, whatever characters it has", () => {
  const reason = "`$&` and $1 {reason}";
  expect(texts.connection.failed(reason)).toBe(`Agents cannot connect to this vault. ${reason}`);
});

test("hidden characters of a value are made visible", () => {
  expect(texts.review.tab("a\u202eb.md")).not.toContain("\u202e");
});

test("a number selects its plural form", () => {
  expect([1, 2, 0].map(texts.sharing.agents)).toEqual(["1 agent", "2 agents", "0 agents"]);
});
