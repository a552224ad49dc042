import {
  checks as allChecks,
  type CheckReport,
  type CheckResult,
  cutEvent,
} from "@idewire/devtools/checks";
import { EventLog, type TraceEvent } from "@idewire/devtools/trace";
import { type Signal, signal } from "@preact/signals";
import { type IndexedLog, withIndex } from "../state/indexed-log.ts";
import type { PageModel } from "../state/page-model.ts";

/** Of a longer frame the beginning is kept: those of the checks are mostly filling. */
const MAX_UNITS = 64_000;

/** Whoever asks the rules of an editor, here or behind a bridge. */
export interface CheckRequest {
  /** Also what shows a diff for a moment. */
  readonly destructive: boolean;
  /** Leaves out what may freeze an editor. */
  readonly gentle: boolean;
  readonly signal: AbortSignal;
  readonly onresult: (result: CheckResult) => void;
  /** Every event of the run, in order. */
  readonly onevent: (event: TraceEvent) => void;
}

/** Asks one editor; settles when it is over. */
export type AskRules = (
  run: CheckRequest,
) => Promise<{ readonly ok: boolean; readonly ms: number }>;

/** A run of the checks, what it has found, and the frames that prove it. */
export class EditorChecks {
  readonly results: Signal<ReadonlyMap<string, CheckResult>> = signal(new Map());
  readonly running = signal(false);
  /** What could not be asked, and why. */
  readonly problem: Signal<string | undefined> = signal(undefined);
  /** Set when a run is over. */
  readonly report: Signal<CheckReport | undefined> = signal(undefined);
  /** The check that is looked at. */
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

  /** Asks anew; what was found before is let go of. */
  async run(ask: AskRules, how: Pick<CheckRequest, "destructive" | "gentle">): Promise<void> {
    if (this.running.value) return;
    this.#stop = new AbortController();
    this.#begin();
    try {
      const { ok, ms } = await ask({
        ...how,
        signal: this.#stop.signal,
        onresult: (result) => this.#emit(result),
        onevent: (event) => this.#keep(event),
      });
      const found = this.results.value;
      const results = allChecks.flatMap(({ id }) => found.get(id) ?? []);
      this.report.value = { ok, ms, results, log: this.#frames.log };
      this.chosen.value ??= results.find(({ verdict }) => verdict === "fail")?.id;
    } catch (error) {
      this.problem.value = `${error instanceof Error ? error.message : String(error)}.`;
    } finally {
      this.running.value = false;
    }
  }

  stop(): void {
    this.#stop?.abort();
  }

  /** Looks at a frame of the run, beside the wire of the session. */
  show(): void {
    this.#model.lookAt(this.#frames);
  }

  #begin(): void {
    if (this.#model.log === this.#frames.log) this.#model.lookBack();
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

  #emit(result: CheckResult): void {
    this.results.value = new Map(this.results.value).set(result.id, result);
  }

  /** The largest frames prove no more than their beginnings. */
  #keep(event: TraceEvent): void {
    this.#frames.log.adopt(cutEvent(event, MAX_UNITS));
  }
}

const kept = new WeakMap<PageModel, EditorChecks>();

/** The checks of a session: they outlive the view. */
export function checksOf(model: PageModel): EditorChecks {
  const found = kept.get(model) ?? new EditorChecks(model);
  kept.set(model, found);
  return found;
}
