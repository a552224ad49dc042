import fc from "fast-check";
import { expect, test } from "vitest";
import { damagedText } from "./fixtures/damaged-text.ts";
import { readDocument } from "./read-document.ts";
import { writeDocument } from "./write-document.ts";

test("100,000 damaged texts are loaded or refused, and loaded ones can be written", () => {
  let loaded = 0;
  fc.assert(
    fc.property(damagedText, (text) => {
      const result = readDocument(text, "src/a.ts", 1_800_000_000_000);
      if (!result.ok) return result.damage.parseError !== "";
      loaded++;
      return readDocument(writeDocument(result.document), "src/a.ts", 0).ok;
    }),
    { numRuns: 100_000, seed: Number(process.env["IDEWIRE_SEED"] ?? 14) },
  );
  expect(loaded).toBeGreaterThan(1_000);
});
