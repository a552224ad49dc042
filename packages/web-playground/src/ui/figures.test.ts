import { afterEach, expect, test, vi } from "vitest";
import { describeClock, describeSeconds, describeShortTime } from "./figures.ts";

afterEach(() => {
  vi.useRealTimers();
});

test("a time of today has no date, and one of another day has its own", () => {
  vi.useFakeTimers({ now: new Date(2026, 10, 30, 0, 5) });
  expect(describeClock(Date.now())).not.toContain("30");
  expect(describeClock(Date.now() - 10 * 60_000)).toContain("29");
});

test("a duration of less than a hundred minutes fits a column of five characters", () => {
  const shown = [0.54, 99.6, 23_685, 99_999, 285_132, 3_599_999].map(describeShortTime);
  expect(shown).toEqual(["0.5", "100", "23685", "99999", "4:45", "59:59"]);
  expect(describeSeconds(285_132)).toBe("4:45 min");
});
