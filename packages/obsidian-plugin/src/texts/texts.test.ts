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

test("times are written as the language of the app has them; an unknown language has English ones", () => {
  const ms = new Date(2026, 10, 23, 16, 5).getTime();
  expect(createTexts("de").time(ms)).toBe("16:05");
  expect(createTexts("en").time(ms)).toMatch(/^4:05\sPM$/);
  expect(createTexts("de").day(ms)).toBe("23. November 2026");
  expect(createTexts("not a language").dayAndTime(ms)).toMatch(/^Nov 23, 2026, 4:05\sPM$/);
});
