import { expect, test } from "vitest";
import { announceSeed, SLOW_CASES } from "../src/fuzz.ts";
import { fuzzHeaders } from "../src/fuzz-headers.ts";

test("a million requests are read in their headers as they were meant", {
  timeout: 14_400_000,
}, async () => {
  announceSeed();
  await expect(fuzzHeaders(SLOW_CASES)).resolves.toBeUndefined();
});
