import { expect, test, vi } from "vitest";
import { BackOff } from "./back-off.ts";
import { manualClock } from "./manual-clock.ts";

test("pauses double up to the longest one, until the attempts are used up", () => {
  const backOff = new BackOff({ firstDelayMs: 500, maxDelayMs: 3_000, maxTries: 5 });
  const pauses = Array.from({ length: 6 }, () => backOff.next());
  expect(pauses).toEqual([500, 1_000, 2_000, 3_000, 3_000, undefined]);
});

test("the first attempt may be made at once, and is the first again after a reset", () => {
  const backOff = new BackOff({ startsAtOnce: true });
  expect([backOff.next(), backOff.next(), backOff.next()]).toEqual([0, 1_000, 2_000]);
  backOff.reset();
  expect(backOff.next()).toBe(0);
});

test("a random number spreads a pause by a quarter either way", () => {
  expect(new BackOff({ random: () => 0 }).next()).toBe(750);
  expect(new BackOff({ random: () => 1 }).next()).toBe(1_250);
});

test("an attempt that was planned does not take place after a success by other means", () => {
  const clock = manualClock();
  const backOff = new BackOff({ startsAtOnce: true, clock });
  const tryAgain = vi.fn();
  backOff.schedule(tryAgain);
  backOff.succeed();
  clock.advance(60_000);
  expect(tryAgain).not.toHaveBeenCalled();
  expect(backOff.schedule(tryAgain)).toBe(0);
});
