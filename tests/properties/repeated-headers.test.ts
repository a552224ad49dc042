import { expect, test } from "vitest";
import { fuzzHeaders } from "../src/fuzz-headers.ts";

test("what a request repeats in its headers is read there as it was meant", async () => {
  await expect(fuzzHeaders(150)).resolves.toBeUndefined();
});
