import { manualClock } from "@idewire/core/testing";
import { expect, test } from "vitest";
import { type CheckReport, runChecks } from "../checks/run-checks.ts";
import type { FaultPlan } from "../trace/faults/fault.ts";
import { FaultInjector } from "../trace/faults/fault-injector.ts";
import { createSimulatedPort } from "./check-port.ts";
import { Simulation } from "./simulation.ts";

const files = { "a.ts": "var a = 1;\nif (a == 2) a = 3;\n", "b.md": "# B\n" };

/** Lets virtual time pass until the checks are over. */
async function check(faults?: FaultPlan, only?: readonly string[]): Promise<CheckReport> {
  const clock = manualClock();
  const now = () => clock.nowMs;
  const simulation = new Simulation({ files, clock, now });
  const start = { line: 0, character: 0 };
  const range = { start, end: { line: 0, character: 3 } };
  await simulation.command({ do: "select", path: "a.ts", range });
  const port = createSimulatedPort({
    simulation,
    clock,
    now,
    ...(faults && { createInterceptor: () => new FaultInjector(faults) }),
  });
  let isOver = false;
  const running = runChecks({
    ...{ port, clock, destructive: true, times: { answerMs: 500 } },
    ...(only && { only }),
  }).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    clock.advance(10);
    await new Promise((resolve) => setTimeout(resolve));
  }
  simulation.close();
  return running;
}

test("the simulated editor complies with every rule that can be checked without a socket", async () => {
  const { results, ok } = await check();
  expect(results.filter(({ verdict }) => verdict === "fail")).toEqual([]);
  expect(ok).toBe(true);
  const skipped = results.filter(({ verdict }) => verdict === "skipped");
  expect(skipped.map(({ id, detail }) => `${id}: ${detail}`)).toEqual([
    "IDE-LOCK-008: this system has no permission bits",
    "IDE-LOCK-009: this system has no permission bits",
    "IDE-LIFE-009: it declares neither",
  ]);
});

test("an injected fault breaks the rule that forbids it, and no check hangs", async () => {
  const rule = { match: "dir:in method:tools/list", fault: { kind: "wrong-id" } } as const;
  const { results, ok } = await check({ seed: 1, rules: [rule] }, ["IDE-TOOL-001"]);
  expect(ok).toBe(false);
  const broken = results.filter(({ verdict }) => verdict === "fail").map(({ id }) => id);
  expect(broken).toEqual(["IDE-TOOL-001"]);
});
