import { expect, test } from "vitest";
import { coalesced } from "./coalesced.ts";

test("however often an act is requested during its run, one more run follows", async () => {
  const runs: (() => void)[] = [];
  const request = coalesced(() => new Promise<void>((resolve) => runs.push(resolve)));
  for (let count = 0; count < 100; count += 1) request();
  expect(runs.length).toBe(1);
  runs[0]?.();
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.();
  await new Promise(setImmediate);
  expect(runs.length).toBe(2);
  request();
  expect(runs.length).toBe(3);
});
