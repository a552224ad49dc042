import { messageOf } from "@idewire/core/internal/base";
import type { NumberedStep, Scenario } from "../file/model.ts";
import { performStep } from "./actions.ts";
import type { ScenarioContext } from "./context.ts";
import { Matcher } from "./matcher.ts";
import {
  type ScenarioFailure,
  type ScenarioReport,
  type StepResult,
  withUnreached,
} from "./report.ts";
import { describeStep } from "./words.ts";

/** How often files are polled, for diagnostics that appear once a file has changed. */
const LOOK_MS = 50;

/** How a scenario is played. */
export interface PlayOptions {
  /** Stops the play when aborted. */
  readonly signal?: AbortSignal;
  /** Called after each step. */
  readonly onstep?: (result: StepResult) => void;
}

/**
 * Plays a scenario, step by step, until the end or the first step that fails. The context belongs to
 * the caller, who closes it.
 */
export async function playScenario(
  scenario: Scenario,
  context: ScenarioContext,
  options: PlayOptions = {},
): Promise<ScenarioReport> {
  const { log } = context.ide;
  const matcher = new Matcher(scenario, context.ide, options.signal);
  const stopLooking = lookAtFiles(context);
  const startMs = log.nowMs;
  const results: StepResult[] = [];
  let ending: StepEnding | undefined;
  for (const numbered of scenario.steps) {
    const beganMs = log.nowMs;
    ending = await playStep(numbered, { context, matcher, signal: options.signal });
    const result: StepResult = {
      line: numbered.line,
      title: describeStep(numbered.step),
      outcome: ending === undefined ? "met" : "failed",
      ms: log.nowMs - beganMs,
    };
    results.push(result);
    options.onstep?.(result);
    if (ending !== undefined) break;
  }
  stopLooking();
  return {
    name: scenario.header.name,
    ms: log.nowMs - startMs,
    steps: withUnreached(scenario, results),
    ...(ending ?? { outcome: "met" }),
  };
}

type StepEnding = Pick<ScenarioReport, "outcome" | "failure">;

interface PlayState {
  readonly context: ScenarioContext;
  readonly matcher: Matcher;
  readonly signal: AbortSignal | undefined;
}

async function playStep(
  { line, step }: NumberedStep,
  { context, matcher, signal }: PlayState,
): Promise<StepEnding | undefined> {
  if (signal?.aborted) return { outcome: "stopped" };
  const where = { line, title: describeStep(step) };
  if ("expect" in step) {
    const failure = await matcher.meet(step);
    if (failure === undefined) return undefined;
    if (signal?.aborted) return { outcome: "stopped" };
    const outcome = matcher.hasAgent ? "unmet" : "no-agent";
    return { outcome, failure: { ...where, ...failure } };
  }
  try {
    await untilAborted(performStep(step, context), signal);
    return undefined;
  } catch (error) {
    const failure: ScenarioFailure = {
      ...where,
      message: messageOf(error),
      mismatches: [],
      frames: [],
    };
    return { outcome: "fault", failure };
  }
}

/** Resolves when the action is done, or when the play is stopped. */
function untilAborted(action: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return action;
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  return Promise.race([action, aborted]);
}

function lookAtFiles({ ide }: ScenarioContext): () => void {
  let timer: unknown;
  const look = () => {
    try {
      ide.scripted?.lookAtFiles();
    } catch {
      // A file that cannot be read now is tried again.
    }
    timer = ide.clock.setTimeout(look, LOOK_MS);
  };
  timer = ide.clock.setTimeout(look, LOOK_MS);
  return () => ide.clock.clearTimeout(timer);
}
