import { manualClock } from "@idewire/core";
import { runChecks } from "@idewire/devtools/checks";
import { createSimulatedPort, Simulation } from "@idewire/devtools/simulation";
import { EventLog, FaultInjector } from "@idewire/devtools/trace";
import type { PageModel } from "../state/page-model.ts";
import type { AskRules, CheckRequest } from "./checks.ts";

/** How much virtual time passes between two draws. */
const SLICE_MS = 50;
const STEP_MS = 10;
/** Turns that let promises settle. */
const TURNS = 20;

/**
 * Checks a copy of the simulated editor, with its files, tabs and faults. Time is virtual: waiting
 * costs nothing.
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
    let hasEnded = false;
    const running = runChecks({ port, log, clock, destructive, signal, onresult }).finally(() => {
      hasEnded = true;
    });
    while (!hasEnded) await pass(clock);
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
