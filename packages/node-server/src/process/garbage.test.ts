import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { limitHeapGrowth } from "./garbage.ts";

test("garbage is collected once there is enough, however much memory is in use", async () => {
  const inUse = makeObjects(3_000_000);
  const end = limitHeapGrowth();
  const before = process.memoryUsage().heapUsed;
  let [kept, last]: unknown[] = [];
  let most = 0;
  for (let round = 0; round < 40; round++) {
    // By the time they are dropped, these objects are in the old generation.
    [kept, last] = [last, makeObjects(200_000)];
    await setImmediate();
    most = Math.max(most, process.memoryUsage().heapUsed - before);
  }
  end();
  expect([inUse, kept, last]).toHaveLength(3);
  expect(most).toBeLessThan(160_000_000);
});

function makeObjects(count: number): readonly unknown[] {
  return Array.from({ length: count }, (_, index) => ({ index }));
}
