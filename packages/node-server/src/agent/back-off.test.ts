import { manualClock } from "@idewire/core/testing";
import { expect, test, vi } from "vitest";
import { BackOff } from "./back-off.ts";

test("what was planned does not take place once it has worked by other means", () => {
  const clock = manualClock();
  const backOff = new BackOff({ clock });
  const tryAgain = vi.fn();
  backOff.schedule(tryAgain);
  backOff.succeed();
  clock.advance(60_000);
  expect(tryAgain).not.toHaveBeenCalled();
  expect(backOff.schedule(tryAgain)).toBe(0);
});
