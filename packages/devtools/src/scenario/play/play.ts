import type { NumberedStep, Scenario } from "../file/model.ts";
import { perform } from "./actions.ts";
import type { ScenarioContext } from "./context.ts";
import { Matcher } from "./matcher.ts";
import {
  type ScenarioFailure,
  type ScenarioReport,
  type StepResult,
  withUnreached,
} from "./report.ts";
import { describeStep } from "./words.ts";

/** How often files are looked at, for diagnostics that come once one has been written. */
const LOOK_MS = 50;

/** How a scenario is played. */
export interface PlayOptions {
  /** Ends it. */
  readonly signal?: AbortSignal;
  /** Hears of each step when it is over. */
  readonly onstep?: (result: StepResult) => void;
}

/**
 * Plays a scenario, step by step, until the end or the first step that fails. The stage is not its
 * own: whoever made it closes it.
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
  context.ide.log.trace.append({ ev: "gesture", who: "person", text: where.title });
  try {
    await untilAborted(perform(step, context), signal);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const failure: ScenarioFailure = { ...where, message, mismatches: [], frames: [] };
    return { outcome: "fault", failure };
  }
}

/** A gesture that waits is not waited for once somebody ends the play. */
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
      ide.scripted.lookAtFiles();
    } catch {
      // A file that cannot be read now is looked at again.
    }
    timer = ide.clock.setTimeout(look, LOOK_MS);
  };
  timer = ide.clock.setTimeout(look, LOOK_MS);
  return () => ide.clock.clearTimeout(timer);
}
