import {
  Breakpoint,
  FaultInjector,
  type FaultPlan,
  type HeldFrame,
} from "@idewire/devtools/internal";
import type { Simulation } from "@idewire/devtools/simulation";
import { parseFilter } from "@idewire/devtools/trace";
import { type Signal, signal } from "@preact/signals";
import type { PageModel } from "../state/page-model.ts";
import { held } from "./held.ts";

/** How long a frame is held before it is sent on. */
export const MAX_HELD_MINUTES = 5;

interface SetBreakpoint {
  readonly breakpoint: Breakpoint;
  readonly filter: string;
  readonly simulation: Simulation;
}

const current: Signal<SetBreakpoint | undefined> = signal(undefined);

/** The breakpoint between the two ends of the page, if one is set; a new simulation has none. */
export function breakpointOf({ simulation }: PageModel): SetBreakpoint | undefined {
  const { value } = current;
  return value?.simulation === simulation ? value : undefined;
}

/** Holds the frames that pass a filter from now on. @returns why the filter is invalid */
export function setBreakpoint(model: PageModel, source: string): string | undefined {
  const filter = parseFilter(source);
  const { simulation } = model;
  if (!filter.ok) return filter.issue;
  if (simulation === undefined) return "A recorded trace has no frames in transit";
  removeBreakpoint(model);
  const breakpoint = new Breakpoint({
    filter: filter.value,
    send: (dir, raw) => simulation.send(dir, raw),
    onchange: () => {
      if (breakpointOf(model)?.breakpoint === breakpoint) held.value = breakpoint.held;
    },
    maxHeldMs: MAX_HELD_MINUTES * 60_000,
  });
  simulation.log.on("append", (event) => event.ev === "close" && breakpoint.forget(event.ch));
  current.value = { breakpoint, filter: source, simulation };
  applyFaults(model, model.faults.value);
  return undefined;
}

/** Releases all held frames and removes the breakpoint. */
export function removeBreakpoint(model: PageModel): void {
  const before = breakpointOf(model);
  current.value = undefined;
  held.value = [];
  before?.breakpoint.remove();
  applyFaults(model, model.faults.value);
}

/** Sends a held frame on, possibly edited, or drops it. */
export function release(model: PageModel, { id }: HeldFrame, raw: string | undefined): void {
  const { breakpoint, simulation } = breakpointOf(model) ?? {};
  simulation?.perform("person", `${raw === undefined ? "drops" : "releases"} a held frame`, () =>
    raw === undefined ? breakpoint?.drop(id) : breakpoint?.release(id, raw),
  );
}

/** Injects the faults of a plan, behind the breakpoint if one is set. */
export function applyFaults(model: PageModel, plan: FaultPlan | undefined): void {
  const { breakpoint } = breakpointOf(model) ?? {};
  const inject = plan && (() => new FaultInjector(plan));
  model.setFaults(plan, breakpoint ? () => breakpoint.intercept(inject?.()) : inject);
}
