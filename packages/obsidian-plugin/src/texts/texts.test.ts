import { expect, test } from "vitest";
import { createTexts } from "./index.ts";

test("a value replaces its placeholder, whatever characters it has", () => {
  const texts = createTexts("en");
  const reason = "`$&` and $1 {reason}";
  expect(texts("connection.failed", { reason })).toBe(
    `Agents cannot connect to this vault. ${reason}`,
  );
});

test("a number selects its plural form", () => {
  const texts = createTexts("en");
  expect([1, 2, 0].map((count) => texts.count("sharing.agents", count))).toEqual([
    "1 agent",
    "2 agents",
    "0 agents",
  ]);
});

test("a language without a translation gets the English texts", () => {
  expect(createTexts("tlh")("connection.failed", { reason: "x" })).toContain("cannot connect");
});
