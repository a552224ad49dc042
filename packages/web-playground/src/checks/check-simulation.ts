import { manualClock } from "@idewire/core/testing";
import { runChecks } from "@idewire/devtools/checks";
import { createSimulatedPort, FaultInjector } from "@idewire/devtools/internal";
import type { Simulation } from "@idewire/devtools/simulation";
import { EventLog } from "@idewire/devtools/trace";
import { copyEditor, passTime } from "../state/copy-editor.ts";
import type { PageModel } from "../state/page-model.ts";
import type { AskRules, CheckRequest } from "./checks.ts";

/**
 * Checks a copy of the simulated editor, with its files, tabs and faults, in virtual time.
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
    while (!hasEnded) await passTime(clock);
    simulation.close();
    return running;
  };
}

/** Selects something in it, which some rules need. */
function openCopy(model: PageModel, clock: ReturnType<typeof manualClock>): Simulation {
  const state = model.state.peek();
  const { files, tabs, selection } = state;
  const simulation = copyEditor(state, clock);
  const active = tabs.findLast((path) => files.has(path));
  if (active === undefined || (selection !== undefined && files.has(selection.path))) {
    return simulation;
  }
  const start = { line: 0, character: 0 };
  const end = { line: 0, character: files.get(active) === "" ? 0 : 1 };
  void simulation.command({ do: "select", path: active, range: { start, end } });
  return simulation;
}
