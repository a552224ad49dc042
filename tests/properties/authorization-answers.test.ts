import { expect, test } from "vitest";
import { fuzzAuthorization, fuzzChallenges } from "../src/fuzz-oauth.ts";

test("a challenge is read by its own parameters, whatever others contain", async () => {
  await expect(fuzzChallenges(150)).resolves.toBeUndefined();
});

test("whatever an answer about authorization contains, a challenge is met or ends, and exposes no secret", async () => {
  const ends = await fuzzAuthorization(300);
  expect([...ends.keys()]).toEqual(expect.arrayContaining(["met", "unauthorized"]));
});
