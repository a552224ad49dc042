import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

test("synchronous work yields to other work", async () => {
  const yieldTurn = createTurns();
  let isDone = false;
  const work = async () => {
    for (const end = performance.now() + 200; performance.now() < end; ) await yieldTurn();
    isDone = true;
  };
  const working = work();
  await setTimeout(20);
  expect(isDone).toBe(false);
  await working;
});
