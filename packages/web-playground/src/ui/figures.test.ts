import { afterEach, expect, test, vi } from "vitest";
import { describeClock } from "./figures.ts";

afterEach(() => {
  vi.useRealTimers();
});

test("a time of today has no date, and one of another day has its own", () => {
  vi.useFakeTimers({ now: new Date(2026, 10, 30, 0, 5) });
  expect(describeClock(Date.now())).not.toContain("30");
  expect(describeClock(Date.now() - 10 * 60_000)).toContain("29");
});
