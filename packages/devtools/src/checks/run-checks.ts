import { systemClock } from "@idewire/core/internal";
import type { Clock } from "@idewire/core/rpc";
import { EventLog } from "../trace/recording/event-log.ts";
import type { Check } from "./check.ts";
import { checks } from "./checks.ts";
import { CheckContext, type CheckRun, type CheckTimes, initializeParams } from "./context.ts";
import { httpChecks } from "./list/http.ts";
import type { CheckPort } from "./port.ts";
import type { CheckedServer } from "./server/checked-server.ts";
import { CheckFailed, type CheckResult, CheckSkipped, type CheckVerdict } from "./verdict.ts";

/** The subject of the checks: an editor, or an MCP server. */
export interface CheckSubject {
  readonly noun: "editor" | "server";
  /** In the order of the catalogue. */
  readonly checks: readonly Check[];
  /** If one of these fails, the checks after it are skipped. */
  readonly access: readonly string[];
  readonly times: CheckTimes;
  readonly deadlineMs: number;
  readonly totalMs: number;
  /** Creates the state of an MCP server that the checks of a run share. */
  open?(run: CheckRun): CheckedServer;
}

/** Which checks to run, and how. */
export interface RunChecksOptions {
  readonly port: CheckPort;
  /** An editor when left out. */
  readonly subject?: CheckSubject;
  /** Where all frames are recorded; a new log when left out. */
  readonly log?: EventLog;
  readonly clock?: Clock;
  /** The ids of the checks to run; those of access and handshake run as well. All when left out. */
  readonly only?: readonly string[];
  /** Checks that are left out, by their ids. */
  readonly skip?: readonly string[];
  /** Leaves out hostile checks, which may freeze an editor. */
  readonly gentle?: boolean;
  /** Includes checks with visible effects in the editor. */
  readonly destructive?: boolean;
  /** A check that takes longer fails; 10,000 when left out. */
  readonly deadlineMs?: number;
  /** The remaining checks are skipped after this time, and the report is not ok; 19,000 when left out. */
  readonly totalMs?: number;
  readonly times?: Partial<CheckTimes>;
  /** Called after each check, in the order in which they run. */
  readonly onresult?: (result: CheckResult) => void;
  /** When aborted, the remaining checks are skipped. */
  readonly signal?: AbortSignal;
}

/** All results, and the log that proves them. */
export interface CheckReport {
  /** No must has failed, at least one check has passed, and none was skipped for lack of time. */
  readonly ok: boolean;
  /** In the order of the catalogue, which is not that of the run. */
  readonly results: readonly CheckResult[];
  /** The check after which the editor stopped answering. */
  readonly silentSince?: string;
  readonly log: EventLog;
  readonly ms: number;
}

const editor: CheckSubject = {
  noun: "editor",
  checks,
  access: ["IDE-CONN-001", "IDE-LIFE-001"],
  times: { answerMs: 3_000, quietMs: 300, noticeMs: 1_500, personMs: 0 },
  deadlineMs: 10_000,
  totalMs: 19_000,
};

const agentEditor: CheckSubject = { ...editor, checks: [...checks, ...httpChecks] };

/** Checks a live server, rule by rule. */
export function runChecks(options: RunChecksOptions): Promise<CheckReport> {
  return new ChecksRun(options).run();
}

class ChecksRun {
  readonly #options: RunChecksOptions;
  readonly #subject: CheckSubject;
  readonly #run: CheckRun;
  readonly #endsAt: number;
  #closedEndpoint: string | undefined;
  #silentSince: string | undefined;
  #isCutShort = false;

  constructor(options: RunChecksOptions) {
    const { port, log = new EventLog(), clock = systemClock, destructive = false } = options;
    this.#options = options;
    this.#subject = options.subject ?? (port.agent === undefined ? editor : agentEditor);
    const run: CheckRun = {
      ...{ port, log, clock, times: { ...this.#subject.times, ...options.times }, destructive },
      ...{ firstSeconds: undefined, servesTwo: undefined, channels: 0 },
      hostileChannels: new Set(),
    };
    const server = this.#subject.open?.(run);
    this.#run = server === undefined ? run : Object.assign(run, { server });
    this.#endsAt = log.nowMs + this.#totalMs;
  }

  async run(): Promise<CheckReport> {
    const { log } = this.#run;
    const began = log.nowMs;
    const results = new Map<string, CheckResult>();
    const chosen = this.#chosen();
    const turn = (check: Check) => this.#turnOf(check);
    for (const check of [...chosen].sort((left, right) => turn(left) - turn(right))) {
      const result = await this.#assess(check);
      results.set(check.id, result);
      this.#options.onresult?.(result);
    }
    this.#run.server?.close();
    const sorted = chosen.flatMap(({ id }) => results.get(id) ?? []);
    const silentSince = this.#silentSince;
    const ok = isOk(sorted) && !this.#isCutShort;
    return { ok, results: sorted, ...(silentSince && { silentSince }), log, ms: log.nowMs - began };
  }

  #chosen(): readonly Check[] {
    const { only } = this.#options;
    const { checks: all, access } = this.#subject;
    if (only === undefined) return all;
    return all.filter(({ id }) => only.includes(id) || access.includes(id));
  }

  get #totalMs(): number {
    return this.#options.totalMs ?? this.#subject.totalMs;
  }

  get #leftMs(): number {
    return this.#endsAt - this.#run.log.nowMs;
  }

  async #assess(check: Check): Promise<CheckResult> {
    const reason = this.#reasonToSkip(check);
    if (reason !== undefined) {
      return toResult(check, { verdict: "skipped", detail: reason, frames: [], ms: 0 });
    }
    const result = await this.#runCheck(check);
    if (result.verdict !== "pass" && this.#subject.access.includes(check.id)) {
      this.#closedEndpoint ??= check.id;
      return result;
    }
    const isDoubtful = result.verdict === "fail" || check.hostile === true;
    // A program is started again for the next check.
    const isProgram = this.#run.server?.transport === "stdio";
    if (!isDoubtful || isProgram || !needsServer(check) || (await this.#answers())) return result;
    this.#silentSince = check.id;
    const seen = result.verdict === "fail" ? `${result.detail}; ` : "";
    const detail = `${seen}after it, the ${this.#subject.noun} stopped answering`;
    // Regardless of the level of the rule: one that is frozen is unusable.
    return { ...result, level: "must", verdict: "fail", detail };
  }

  #reasonToSkip(check: Check): string | undefined {
    const { destructive = false, gentle = false, skip = [], signal } = this.#options;
    const mayShow = destructive || check.needsPerson;
    if (signal?.aborted) return "the run was stopped";
    const { agent } = this.#run.port;
    if (agent !== undefined && !check.overHttp) return `it does not apply to ${agent.title}`;
    if (skip.includes(check.id)) return "it was left out";
    if (gentle && check.hostile)
      return `it may freeze ${this.#subject.noun === "editor" ? "an editor" : "a server"}`;
    if (check.needsPerson && this.#run.times.personMs === 0) {
      return "it waits for a person who accepts a diff";
    }
    if (check.destructive && !mayShow) return "it has visible effects in the editor";
    if (!needsServer(check)) return this.#run.server?.reasonToSkip(check);
    if (this.#closedEndpoint !== undefined) return `${this.#closedEndpoint} has not passed`;
    if (this.#silentSince !== undefined) {
      return `the ${this.#subject.noun} has not answered since ${this.#silentSince}`;
    }
    if (this.#leftMs <= 0) return this.#noTime();
    return this.#run.server?.reasonToSkip(check);
  }

  #noTime(): string {
    this.#isCutShort = true;
    const seconds = this.#totalMs / 1_000;
    return `the ${seconds} s for all checks were used up`;
  }

  /** The order of the run: without a connection, access, ordinary, destructive, hostile, every frame, a person's. */
  #turnOf(check: Check): number {
    if (/^IDE-LOCK-|^MCP-AUTH-/.test(check.id)) return 0;
    if (this.#subject.access.includes(check.id)) return 1;
    if (/^(?:IDE|MCP)-FRAME-/.test(check.id)) return 5;
    if (check.needsPerson) return 6;
    if (check.hostile) return 4;
    return check.destructive ? 3 : 2;
  }

  async #runCheck(check: Check): Promise<CheckResult> {
    const { log, clock } = this.#run;
    const context = new CheckContext(this.#run, check.hostile);
    const began = log.nowMs;
    const personMs = check.needsPerson ? this.#run.times.personMs : 0;
    const deadlineMs = (this.#options.deadlineMs ?? this.#subject.deadlineMs) + personMs;
    const leftMs = needsServer(check) ? this.#leftMs + personMs : deadlineMs;
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
      const detail = await Promise.race([check.run(context), overdue]);
      return assess("pass", detail ?? "");
    } catch (error) {
      if (error instanceof CheckSkipped) return assess("skipped", error.message);
      if (error instanceof CheckFailed) return assess("fail", error.message);
      throw error;
    } finally {
      clock.clearTimeout(timer);
      context.close();
    }
  }

  /** Whether a new agent is answered, even with an error, within twice the time of an answer. */
  async #answers(): Promise<boolean> {
    const { log, times } = this.#run;
    const until = Math.min(log.nowMs + 2 * times.answerMs, this.#endsAt);
    const context = new CheckContext(this.#run, true);
    const params = initializeParams(this.#run.port);
    try {
      do {
        const outcome = await context.upgrade();
        const id = "still-there";
        const sent = outcome.kind === "open" ? outcome.connection : undefined;
        sent?.send(JSON.stringify({ jsonrpc: "2.0", id, method: "initialize", params }));
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

/** Checks of the lock file, of the way to a token and of recorded frames need no session. */
function needsServer({ id }: Check): boolean {
  return !/^(?:IDE-(?:LOCK|FRAME)|MCP-(?:AUTH|FRAME))-/.test(id);
}

function toResult(
  { run: _, overHttp: __, over: ___, era: ____, since: _____, ...facts }: Check,
  outcome: Pick<CheckResult, "verdict" | "detail" | "frames" | "ms">,
): CheckResult {
  return { ...facts, ...outcome };
}

function isOk(results: readonly CheckResult[]): boolean {
  const hasFailed = results.some(({ level, verdict }) => level === "must" && verdict === "fail");
  return !hasFailed && results.some(({ verdict }) => verdict === "pass");
}
