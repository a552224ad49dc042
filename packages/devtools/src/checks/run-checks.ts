import { type Clock, systemClock } from "@idewire/core";
import { EventLog } from "../trace/recording/event-log.ts";
import type { Check } from "./check.ts";
import { checks as allChecks } from "./checks.ts";
import { CheckContext, type CheckRun, type CheckTimes, initializeParams } from "./context.ts";
import type { CheckPort } from "./port.ts";
import { CheckFailed, type CheckResult, CheckSkipped, type CheckVerdict } from "./verdict.ts";

/** What is checked, and how. */
export interface RunChecksOptions {
  readonly port: CheckPort;
  /** Where all frames are written down; a new log when left out. */
  readonly log?: EventLog;
  readonly clock?: Clock;
  /** The checks to run, and the doors to them; all when left out. */
  readonly only?: readonly string[];
  /** Checks that are left out, by their ids. */
  readonly skip?: readonly string[];
  /** Leaves out what no agent does: it may freeze an editor that does not expect it. */
  readonly gentle?: boolean;
  /** Also what shows the person something, or closes what is theirs. */
  readonly destructive?: boolean;
  /** A check that takes longer has failed; 10,000 when left out. */
  readonly deadlineMs?: number;
  /** What has not been checked by then is skipped, and the whole is not ok; 19,000 when left out. */
  readonly totalMs?: number;
  readonly times?: Partial<CheckTimes>;
  /** Each verdict, as soon as it is there: what may freeze the editor comes last. */
  readonly onresult?: (result: CheckResult) => void;
  /** Aborted, what has not begun is skipped. */
  readonly signal?: AbortSignal;
}

/** All verdicts, and the log that proves them. */
export interface CheckReport {
  /** No must has failed, at least one check has passed, and none was left out for want of time. */
  readonly ok: boolean;
  /** In the order of the list, which is not that in which they were run. */
  readonly results: readonly CheckResult[];
  /** The check since which the editor has answered nothing. */
  readonly silentSince?: string;
  readonly log: EventLog;
  readonly ms: number;
}

const DEFAULT_TIMES: CheckTimes = { answerMs: 3_000, quietMs: 300, noticeMs: 1_500 };
const DEFAULT_DEADLINE_MS = 10_000;
const DEFAULT_TOTAL_MS = 19_000;

/** Who fails here is asked nothing that comes after. */
const ACCESS_CHECKS: readonly string[] = ["IDE-CONN-001", "IDE-LIFE-001"];

/** Asks a live server, rule by rule, whether it keeps them. */
export function runChecks(options: RunChecksOptions): Promise<CheckReport> {
  return new ChecksRun(options).run();
}

class ChecksRun {
  readonly #options: RunChecksOptions;
  readonly #run: CheckRun;
  readonly #endsAt: number;
  #closedEndpoint: string | undefined;
  #silentSince: string | undefined;
  #isCutShort = false;

  constructor(options: RunChecksOptions) {
    const { port, log = new EventLog(), clock = systemClock } = options;
    this.#options = options;
    this.#run = {
      ...{ port, log, clock, times: { ...DEFAULT_TIMES, ...options.times } },
      ...{ firstSeconds: undefined, servesTwo: undefined, channels: 0 },
      hostileChannels: new Set(),
    };
    this.#endsAt = log.nowMs + (options.totalMs ?? DEFAULT_TOTAL_MS);
  }

  async run(): Promise<CheckReport> {
    const { log } = this.#run;
    const began = log.nowMs;
    const results = new Map<string, CheckResult>();
    const chosen = this.#chosen();
    for (const check of [...chosen].sort((left, right) => turnOf(left) - turnOf(right))) {
      const result = await this.#assess(check);
      results.set(check.id, result);
      this.#options.onresult?.(result);
    }
    const sorted = chosen.flatMap(({ id }) => results.get(id) ?? []);
    const silentSince = this.#silentSince;
    const ok = isOk(sorted) && !this.#isCutShort;
    return { ok, results: sorted, ...(silentSince && { silentSince }), log, ms: log.nowMs - began };
  }

  #chosen(): readonly Check[] {
    const { only } = this.#options;
    if (only === undefined) return allChecks;
    return allChecks.filter(({ id }) => only.includes(id) || ACCESS_CHECKS.includes(id));
  }

  get #leftMs(): number {
    return this.#endsAt - this.#run.log.nowMs;
  }

  async #assess(check: Check): Promise<CheckResult> {
    const reason = this.#whyNot(check);
    if (reason !== undefined) {
      return toResult(check, { verdict: "skipped", detail: reason, frames: [], ms: 0 });
    }
    const result = await this.#ask(check);
    if (result.verdict !== "pass" && ACCESS_CHECKS.includes(check.id)) {
      this.#closedEndpoint ??= check.id;
      return result;
    }
    const isDoubtful = result.verdict === "fail" || check.hostile === true;
    if (!isDoubtful || !needsServer(check) || (await this.#answers())) return result;
    this.#silentSince = check.id;
    const seen = result.verdict === "fail" ? `${result.detail}; ` : "";
    const detail = `${seen}after it, the editor stopped answering`;
    // Whatever hangs on the rule: a person cannot work on in an editor that has frozen.
    return { ...result, level: "must", verdict: "fail", detail };
  }

  #whyNot(check: Check): string | undefined {
    const { destructive = false, gentle = false, skip = [], signal } = this.#options;
    if (signal?.aborted) return "the run was stopped";
    if (skip.includes(check.id)) return "it was left out";
    if (gentle && check.hostile) return "it may freeze an editor";
    if (check.destructive && !destructive) return "it would show or close something";
    if (!needsServer(check)) return undefined;
    if (this.#closedEndpoint !== undefined) return `${this.#closedEndpoint} has not passed`;
    if (this.#silentSince !== undefined) {
      return `the editor has not answered since ${this.#silentSince}`;
    }
    return this.#leftMs > 0 ? undefined : this.#noTime();
  }

  #noTime(): string {
    this.#isCutShort = true;
    const seconds = (this.#options.totalMs ?? DEFAULT_TOTAL_MS) / 1_000;
    return `the ${seconds} s for all checks were used up`;
  }

  async #ask(check: Check): Promise<CheckResult> {
    const { log, clock } = this.#run;
    const context = new CheckContext(this.#run, check.hostile);
    const began = log.nowMs;
    const { deadlineMs = DEFAULT_DEADLINE_MS } = this.#options;
    const leftMs = needsServer(check) ? this.#leftMs : deadlineMs;
    let timer: unknown;
    const overdue = new Promise<never>((_, reject) => {
      const end = () => {
        if (leftMs < deadlineMs) reject(new CheckSkipped(this.#noTime()));
        else reject(new CheckFailed(`it did not finish within ${deadlineMs} ms`));
      };
      timer = clock.setTimeout(end, Math.min(deadlineMs, leftMs));
    });
    const assess = (verdict: CheckVerdict, detail: string) =>
      toResult(check, { verdict, detail, frames: context.evidence, ms: log.nowMs - began });
    try {
      const remark = await Promise.race([check.run(context), overdue]);
      return assess("pass", remark ?? "");
    } catch (error) {
      if (error instanceof CheckSkipped) return assess("skipped", error.message);
      if (error instanceof CheckFailed) return assess("fail", error.message);
      throw error;
    } finally {
      clock.clearTimeout(timer);
      context.close();
    }
  }

  /** Whether a new agent is answered, be it by an error; what is slow to digest has time for it. */
  async #answers(): Promise<boolean> {
    const { log, times } = this.#run;
    const until = Math.min(log.nowMs + 2 * times.answerMs, this.#endsAt);
    const context = new CheckContext(this.#run, true);
    try {
      do {
        const outcome = await context.upgrade();
        const id = "still-there";
        const sent = outcome.kind === "open" ? outcome.talk : undefined;
        sent?.send(JSON.stringify({ jsonrpc: "2.0", id, ...GREETING }));
        const find = () => sent?.received.find(({ message }) => message.id === id);
        if (await sent?.waitFor(find, until - log.nowMs)) return true;
        if (this.#options.signal?.aborted) return true;
        await context.wait(Math.min(times.quietMs, Math.max(0, until - log.nowMs)));
      } while (log.nowMs < until);
      return false;
    } finally {
      context.close();
    }
  }
}

const GREETING = { method: "initialize", params: initializeParams() };

/** What is of no connection comes first, then the doors; what may freeze the editor comes late. */
function turnOf(check: Check): number {
  if (check.id.startsWith("IDE-LOCK-")) return 0;
  if (ACCESS_CHECKS.includes(check.id)) return 1;
  if (check.id.startsWith("IDE-FRAME-")) return 5;
  if (check.hostile) return 4;
  return check.destructive ? 3 : 2;
}

/** The file is only read, and the frames are those that came already. */
function needsServer({ id }: Check): boolean {
  return !/^IDE-(?:LOCK|FRAME)-/.test(id);
}

function toResult(
  { run: _, ...facts }: Check,
  judgement: Pick<CheckResult, "verdict" | "detail" | "frames" | "ms">,
): CheckResult {
  return { ...facts, ...judgement };
}

function isOk(results: readonly CheckResult[]): boolean {
  const hasFailed = results.some(({ level, verdict }) => level === "must" && verdict === "fail");
  return !hasFailed && results.some(({ verdict }) => verdict === "pass");
}
