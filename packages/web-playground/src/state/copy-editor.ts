import type { manualClock } from "@idewire/core/testing";
import type { LogState } from "@idewire/devtools/internal";
import { Simulation } from "@idewire/devtools/simulation";

type ManualClock = ReturnType<typeof manualClock>;

/** The virtual time between two renders. */
const SLICE_MS = 50;
const STEP_MS = 10;
/** Turns that let promises settle. */
const TURNS = 20;

/** A simulated editor with the files, tabs and selection of a moment; closed by the caller. */
export function copyEditor(state: LogState, clock: ManualClock): Simulation {
  const { files, tabs, selection } = state;
  const simulation = new Simulation({
    files: Object.fromEntries(files),
    clock,
    now: () => clock.nowMs,
  });
  for (const path of tabs) {
    if (files.has(path)) void simulation.command({ do: "open", path });
  }
  if (selection !== undefined && files.has(selection.path)) {
    void simulation.command({ do: "select", ...selection });
  }
  return simulation;
}

/** Advances virtual time by a slice, and lets the page render. */
export async function passTime(clock: ManualClock): Promise<void> {
  for (let ms = 0; ms < SLICE_MS; ms += STEP_MS) {
    clock.advance(STEP_MS);
    for (let turn = 0; turn < TURNS; turn += 1) await Promise.resolve();
  }
  await new Promise((resolve) => window.setTimeout(resolve));
}
