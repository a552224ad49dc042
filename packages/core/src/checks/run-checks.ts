import { type Clock, systemClock } from "../rpc/clock.ts";
import { EventLog } from "../trace/event-log.ts";
import {
  type Check,
  CheckFailed,
  type CheckResult,
  CheckSkipped,
  type CheckVerdict,
} from "./check.ts";
import { checks as allChecks } from "./checks.ts";
import type { CheckPort } from "./port.ts";
import { type CheckRun, CheckScene, type CheckTimes } from "./scene.ts";

/** What is checked, and how. */
export interface RunChecksOptions {
  readonly port: CheckPort;
  /** Where all frames are written down; a new log when left out. */
  readonly log?: EventLog;
  readonly clock?: Clock;
  /** The checks to run, and the doors to them; all when left out. */
  readonly only?: readonly string[];
  /** Also what shows the person something, or closes what is theirs. */
  readonly destructive?: boolean;
  /** A check that takes longer has failed; 10,000 when left out. */
  readonly deadlineMs?: number;
  readonly times?: Partial<CheckTimes>;
  /** Each verdict, as soon as it is there. */
  readonly onresult?: (result: CheckResult) => void;
  /** Aborted, what has not begun is skipped. */
  readonly signal?: AbortSignal;
}

/** All verdicts, and the log that proves them. */
export interface CheckReport {
  /** No must has failed, and at least one check has passed. */
  readonly ok: boolean;
  readonly results: readonly CheckResult[];
  readonly log: EventLog;
  readonly ms: number;
}

const DEFAULT_TIMES: CheckTimes = { answerMs: 3_000, quietMs: 300, noticeMs: 1_500 };

/** Who fails here is asked nothing that comes after. */
const DOORS: readonly string[] = ["IDE-CONN-001", "IDE-LIFE-001"];

/** Asks a live server, rule by rule, whether it keeps them. */
export async function runChecks(options: RunChecksOptions): Promise<CheckReport> {
  const { port, log = new EventLog(), clock = systemClock, onresult, signal } = options;
  const times = { ...DEFAULT_TIMES, ...options.times };
  const run: CheckRun = { port, log, clock, times, firstSeconds: undefined, channels: 0 };
  const results: CheckResult[] = [];
  const began = log.nowMs;
  let closedDoor: string | undefined;
  for (const check of chosen(options.only)) {
    const reason = signal?.aborted ? "it was stopped" : whyNot(check, options, closedDoor);
    const result =
      reason === undefined
        ? await runCheck(check, run, options.deadlineMs ?? 10_000)
        : toResult(check, { verdict: "skipped", detail: reason, frames: [], ms: 0 });
    if (result.verdict !== "pass" && DOORS.includes(check.id)) closedDoor ??= check.id;
    results.push(result);
    onresult?.(result);
  }
  return { ok: isOk(results), results, log, ms: log.nowMs - began };
}

function chosen(only: readonly string[] | undefined): readonly Check[] {
  if (only === undefined) return allChecks;
  return allChecks.filter(({ id }) => only.includes(id) || DOORS.includes(id));
}

function whyNot(
  check: Check,
  { destructive = false }: RunChecksOptions,
  closedDoor: string | undefined,
): string | undefined {
  if (check.destructive === true && !destructive) return "it would show or close something";
  const needsDoor = !check.id.startsWith("IDE-LOCK-");
  return closedDoor !== undefined && needsDoor ? `not before ${closedDoor} passes` : undefined;
}

async function runCheck(check: Check, run: CheckRun, deadlineMs: number): Promise<CheckResult> {
  const { log, clock } = run;
  const scene = new CheckScene(run);
  const began = log.nowMs;
  let timer: unknown;
  const overdue = new Promise<never>((_, reject) => {
    const words = `it was not over within ${deadlineMs} ms`;
    timer = clock.setTimeout(() => reject(new CheckFailed(words)), deadlineMs);
  });
  try {
    const remark = await Promise.race([check.run(scene), overdue]);
    return toResult(check, judge("pass", remark ?? ""));
  } catch (error) {
    if (error instanceof CheckSkipped) return toResult(check, judge("skipped", error.message));
    if (error instanceof CheckFailed) return toResult(check, judge("fail", error.message));
    throw error;
  } finally {
    clock.clearTimeout(timer);
    scene.close();
  }

  function judge(verdict: CheckVerdict, detail: string): Judgement {
    return { verdict, detail, frames: scene.evidence, ms: log.nowMs - began };
  }
}

type Judgement = Pick<CheckResult, "verdict" | "detail" | "frames" | "ms">;

function toResult({ run: _, ...facts }: Check, judgement: Judgement): CheckResult {
  return { ...facts, ...judgement };
}

function isOk(results: readonly CheckResult[]): boolean {
  const hasFailed = results.some(({ level, verdict }) => level === "must" && verdict === "fail");
  return !hasFailed && results.some(({ verdict }) => verdict === "pass");
}
