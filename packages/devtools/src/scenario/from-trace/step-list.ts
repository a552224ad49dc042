import type { ActionStep, ExpectationStep, ScenarioStep } from "../file/model.ts";

/** Agents slower than this in the recording are allowed more than the default time. */
const SLOW_MS = 2_500;
/** Two actions within this time have no wait between them. */
const AT_ONCE_MS = 100;
/** Longer pauses are shortened. */
const LONGEST_WAIT_MS = 1_000;

/** The steps of a scenario under construction, with the times that matter. */
export class StepList {
  readonly steps: ScenarioStep[] = [];
  #lastMs = 0;

  /** Doubles the time limit of an agent that was slow in the recording. */
  expect(step: ExpectationStep, t: number): ExpectationStep {
    const gap = t - this.#lastMs;
    const withinMs = Math.min(Math.ceil(gap / 500) * 1_000, 86_400_000);
    const timed = gap > SLOW_MS && this.steps.length > 0 ? { ...step, withinMs } : step;
    this.steps.push(timed);
    this.#lastMs = t;
    return timed;
  }

  /** Adds a wait between two actions without an expectation, so that the agent notices the first. */
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
