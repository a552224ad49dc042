import type { SeenEvent, SeenFrame } from "../editor/seen.ts";
import type { Scenario } from "../file/model.ts";
import type { Mismatch } from "../pattern/pattern.ts";
import { describeStep } from "./words.ts";

/** The outcome of a step. */
export interface StepResult {
  /** The line of the scenario. */
  readonly line: number;
  /** The step in a few words. */
  readonly title: string;
  readonly outcome: "met" | "failed" | "not-reached";
  readonly ms: number;
}

/** Why a scenario was not met. */
export interface ScenarioFailure {
  readonly line: number;
  readonly title: string;
  /** The failure in a sentence. */
  readonly message: string;
  /** The closest event that was seen, if any was of the same kind. */
  readonly closest?: SeenEvent;
  /** Its differences from the expectation. */
  readonly mismatches: readonly Mismatch[];
  /** The frames around it, oldest first. */
  readonly frames: readonly SeenFrame[];
}

/** How a scenario ended. */
export interface ScenarioReport {
  readonly name: string;
  /**
   * `met`: all expectations were met. `unmet`: one was not. `fault`: an action was
   * impossible. `no-agent`: no agent ever connected. `stopped`: the play was aborted.
   */
  readonly outcome: "met" | "unmet" | "fault" | "no-agent" | "stopped";
  readonly ms: number;
  readonly steps: readonly StepResult[];
  readonly failure?: ScenarioFailure;
}

/** The steps that were not reached, after those that were. */
export function withUnreached(
  { steps }: Scenario,
  reached: readonly StepResult[],
): readonly StepResult[] {
  const left = steps.slice(reached.length).map(({ line, step }): StepResult => {
    return { line, title: describeStep(step), outcome: "not-reached", ms: 0 };
  });
  return [...reached, ...left];
}
