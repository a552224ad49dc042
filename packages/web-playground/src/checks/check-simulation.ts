import { manualClock } from "@idewire/core";
import { runChecks } from "@idewire/devtools/checks";
import { createSimulatedPort, Simulation } from "@idewire/devtools/simulation";
import { EventLog, FaultInjector } from "@idewire/devtools/trace";
import type { PageModel } from "../state/page-model.ts";
import type { AskRules, CheckRequest } from "./checks.ts";

/** So much virtual time passes before the page may draw. */
const SLICE_MS = 50;
const STEP_MS = 10;
/** Turns for what answers later, though without waiting. */
const TURNS = 20;

/**
 * Asks an editor as the page's own is now, with its files, its tabs and its faults, and without
 * disturbing it. Time is virtual: what is waited for costs nothing.
 */
export function checkSimulation(model: PageModel): AskRules {
  return async ({ destructive, signal, onresult, onevent }: CheckRequest) => {
    const clock = manualClock();
    const now = (): number => clock.nowMs;
    const simulation = openCopy(model, clock);
    const log = new EventLog({ now });
    log.on("append", onevent);
    const plan = model.faults.value;
    const createInterceptor = plan && (() => new FaultInjector(plan));
    const port = createSimulatedPort({ simulation, clock, now, createInterceptor });
    let isOver = false;
    const running = runChecks({ port, log, clock, destructive, signal, onresult }).finally(() => {
      isOver = true;
    });
    while (!isOver) await pass(clock);
    simulation.close();
    return running;
  };
}

function openCopy(model: PageModel, clock: ReturnType<typeof manualClock>): Simulation {
  const { files, tabs, selection } = model.state.peek();
  const simulation = new Simulation({
    files: Object.fromEntries(files),
    clock,
    now: () => clock.nowMs,
  });
  const open = tabs.filter((path) => files.has(path));
  for (const path of open) void simulation.command({ do: "open", path });
  const active = open.at(-1);
  const start = { line: 0, character: 0 };
  if (selection !== undefined && files.has(selection.path)) {
    void simulation.command({ do: "select", ...selection });
  } else if (active !== undefined) {
    const end = { line: 0, character: files.get(active) === "" ? 0 : 1 };
    void simulation.command({ do: "select", path: active, range: { start, end } });
  }
  return simulation;
}

async function pass(clock: ReturnType<typeof manualClock>): Promise<void> {
  for (let ms = 0; ms < SLICE_MS; ms += STEP_MS) {
    clock.advance(STEP_MS);
    for (let turn = 0; turn < TURNS; turn += 1) await Promise.resolve();
  }
  await new Promise((resolve) => window.setTimeout(resolve));
}
