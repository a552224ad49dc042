import { expect, test } from "vitest";
import { announceSeed, SLOW_CASES } from "../src/fuzz.ts";
import { fuzzHeaders } from "../src/fuzz-headers.ts";

test("the arguments that a million requests repeat in their headers are read back unchanged", {
  timeout: 14_400_000,
}, async () => {
  announceSeed();
  await expect(fuzzHeaders(SLOW_CASES)).resolves.toBeUndefined();
});
