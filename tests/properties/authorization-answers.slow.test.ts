import { expect, test } from "vitest";
import { announceSeed, SLOW_CASES } from "../src/fuzz.ts";
import { fuzzAuthorization, fuzzChallenges } from "../src/fuzz-oauth.ts";

const timeout = 14_400_000;

test("a million challenges are read as their parameters", { timeout }, async () => {
  announceSeed();
  await expect(fuzzChallenges(SLOW_CASES)).resolves.toBeUndefined();
});

test("a million answers about authorization end a challenge each", { timeout }, async () => {
  announceSeed();
  const ends = await fuzzAuthorization(SLOW_CASES);
  console.info(JSON.stringify(Object.fromEntries(ends)));
  expect(ends.get("met")).toBeGreaterThan(0);
});
