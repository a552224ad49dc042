import { messageOf } from "@idewire/core/internal/base";
import type { CheckReport, CheckResult } from "@idewire/devtools/checks";
import { checks as allChecks, cutEvent } from "@idewire/devtools/internal";
import { EventLog, type TraceEvent } from "@idewire/devtools/trace";
import { type Signal, signal } from "@preact/signals";
import { type IndexedLog, withIndex } from "../state/indexed-log.ts";
import type { PageModel } from "../state/page-model.ts";

/** Only the start of a longer frame is kept: the long frames of the checks are mostly padding. */
const MAX_UNITS = 64_000;

/** The options of a check, and the receivers of its results. */
export interface CheckRequest {
  /** Also run the checks that open a diff for a moment. */
  readonly destructive: boolean;
  /** Skip checks that may freeze an editor. */
  readonly gentle: boolean;
  readonly signal: AbortSignal;
  readonly onresult: (result: CheckResult) => void;
  /** Every event of the run, in order. */
  readonly onevent: (event: TraceEvent) => void;
}

/** Checks one editor; settles when the run has ended. `ms` is the duration. */
export type AskRules = (
  run: CheckRequest,
) => Promise<{ readonly ok: boolean; readonly ms: number }>;

/** The newest run of the checks: its results, and the frames as evidence. */
export class EditorChecks {
  readonly results: Signal<ReadonlyMap<string, CheckResult>> = signal(new Map());
  readonly running = signal(false);
  /** The reason why the run failed. */
  readonly problem: Signal<string | undefined> = signal(undefined);
  /** Set when a run has ended. */
  readonly report: Signal<CheckReport | undefined> = signal(undefined);
  /** The id of the selected check. */
  readonly chosen: Signal<string | undefined> = signal(undefined);
  readonly #model: PageModel;
  #frames: IndexedLog = withIndex(new EventLog());
  #stop: AbortController | undefined;

  constructor(model: PageModel) {
    this.#model = model;
  }

  /** The frames of the newest run. */
  get frames(): IndexedLog {
    return this.#frames;
  }

  /** Runs the checks; the results of the previous run are dropped. */
  async run(ask: AskRules, how: Pick<CheckRequest, "destructive" | "gentle">): Promise<void> {
    if (this.running.value) return;
    this.#stop = new AbortController();
    this.#begin();
    try {
      const { ok, ms } = await ask({
        ...how,
        signal: this.#stop.signal,
        onresult: (result) => {
          this.results.value = new Map(this.results.value).set(result.id, result);
        },
        onevent: (event) => void this.#frames.log.adopt(cutEvent(event, MAX_UNITS)),
      });
      const found = this.results.value;
      const results = allChecks.flatMap(({ id }) => found.get(id) ?? []);
      this.report.value = { ok, ms, results, log: this.#frames.log };
      this.chosen.value ??= results.find(({ verdict }) => verdict === "fail")?.id;
    } catch (error) {
      this.problem.value = `${messageOf(error)}.`;
    } finally {
      this.running.value = false;
    }
  }

  stop(): void {
    this.#stop?.abort();
  }

  /** Shows the frames of the run in place of the page's own. */
  show(): void {
    this.#model.lookAt(this.#frames);
  }

  #begin(): void {
    if (this.#model.log === this.#frames.log) this.#model.showOwnFrames();
    let nowMs = 0;
    const log = new EventLog({ now: () => nowMs });
    this.#frames = withIndex(log);
    log.on("append", ({ t }) => {
      nowMs = t;
      if (this.#model.log === log) this.#model.redraw();
    });
    this.running.value = true;
    this.problem.value = undefined;
    this.report.value = undefined;
    this.chosen.value = undefined;
    this.results.value = new Map();
  }
}

const kept = new WeakMap<PageModel, EditorChecks>();

/** The checks of a model; they outlive the view. */
export function checksOf(model: PageModel): EditorChecks {
  const found = kept.get(model) ?? new EditorChecks(model);
  kept.set(model, found);
  return found;
}
