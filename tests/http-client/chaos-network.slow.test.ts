import { expect, test } from "vitest";
import { cutExchanges, exchanges } from "../src/chaos/cut-exchanges.ts";

test.each(exchanges)(
  "over %s a %s whose network breaks at any byte is answered or reported as lost, and never run twice",
  { timeout: 3_600_000 },
  async (way, operation) => {
    const outcomes = await cutExchanges(way, operation, Number.POSITIVE_INFINITY);
    console.info(`${operation} over ${way}: ${JSON.stringify(outcomes)}`);
    expect(outcomes.lost).toBeGreaterThan(0);
  },
);
