import type { ActionStep, ExpectationStep, ScenarioStep } from "../file/model.ts";

/** The recorded time from which an agent is given more than the default. */
const SLOW_MS = 2_500;
/** Two acts of a person within this time are one after the other without a wait. */
const AT_ONCE_MS = 100;
/** A longer pause tells an agent nothing more. */
const LONGEST_WAIT_MS = 1_000;

/** The steps of a scenario that is being made, with the times that matter. */
export class StepList {
  readonly steps: ScenarioStep[] = [];
  #lastMs = 0;

  /** An agent that took long in the recording is given twice that time. */
  expect(step: ExpectationStep, t: number): ExpectationStep {
    const gap = t - this.#lastMs;
    const withinMs = Math.min(Math.ceil(gap / 500) * 1_000, 86_400_000);
    const timed = gap > SLOW_MS && this.steps.length > 0 ? { ...step, withinMs } : step;
    this.steps.push(timed);
    this.#lastMs = t;
    return timed;
  }

  /** Where nothing is expected between two acts, the agent is left the time to notice the first. */
  act(step: ActionStep, t: number): ActionStep {
    const gap = t - this.#lastMs;
    const last = this.steps.at(-1);
    if (last !== undefined && "do" in last && gap >= AT_ONCE_MS) {
      this.steps.push({ do: "wait", ms: Math.min(Math.round(gap), LONGEST_WAIT_MS) });
    }
    this.steps.push(step);
    this.#lastMs = t;
    return step;
  }

  /** Inserts an action before, or after, a step of this list; without one, at the beginning. */
  insert(
    step: ActionStep,
    where: { readonly before?: ScenarioStep; readonly after?: ScenarioStep },
  ): void {
    const { before, after } = where;
    const at = before === undefined ? this.#after(after) : this.steps.indexOf(before);
    this.steps.splice(Math.max(at, 0), 0, step);
  }

  #after(step: ScenarioStep | undefined): number {
    return step === undefined ? 0 : this.steps.indexOf(step) + 1;
  }
}
