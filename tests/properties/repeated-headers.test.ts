import { expect, test } from "vitest";
import { fuzzHeaders } from "../src/fuzz-headers.ts";

test("the arguments that a request repeats in its headers are read back unchanged", async () => {
  await expect(fuzzHeaders(150)).resolves.toBeUndefined();
});
