import { clearTimeout, setTimeout } from "node:timers";
import type { Diagnostic, PosixPath } from "@idewire/core";
import { keyOf } from "@idewire/node-server/internal/files";
import { cannotRun } from "../command/child-command.ts";
import { isSkipped } from "../diagnostics/workspace-scan.ts";
import type { DiagnosticsProvider, ProviderFolder } from "../diagnostics-provider.ts";
import type { LinterOptions } from "../provider-options.ts";
import { type LinterOutcome, LinterRun } from "./linter-run.ts";
import { listProblems, type ProblemList } from "./problem-lists.ts";

const DELAY_MS = 300;

/** How long after a change an answer waits for a run. */
const TIMEOUT_MS = 1_300;
/** Answers do not wait for a linter whose last run took longer. */
const MAX_AWAITED_RUN_MS = 3_000;

/** A change this soon after a run may be the run's own. */
const AFTERMATH_MS = 200;

/** The most distinct notices shown to the person. */
const MAX_NOTICES = 10;

/** How many consecutive runs may be caused by changes that the previous run may have made itself. */
const MAX_OWN_REASONS = 2;

/** A linter or compiler, rerun after changes, as a diagnostics provider. */
export class Linter implements DiagnosticsProvider {
  readonly #options: LinterOptions;
  #folder: ProviderFolder | undefined;
  #lists: ReadonlyMap<string, ProblemList> = new Map();
  /** Files changed since the start of the run that produced the lists. */
  #changed = new Set<string>();
  readonly #changedInRun = new Set<string>();
  /** Those of them whose diagnostics were held back. */
  readonly #hidden = new Map<string, PosixPath>();
  readonly #output = new Set<string>();
  readonly #waiters = new Set<() => void>();
  #run: LinterRun | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #maxWait: ReturnType<typeof setTimeout> | undefined;
  #isDue = false;
  #ownReasons = 0;
  #endedMs = 0;
  #lastRunMs = 0;
  #isClosed = false;

  constructor(options: LinterOptions) {
    this.#options = options;
  }

  open(folder: ProviderFolder): void {
    this.#folder = folder;
    this.#schedule();
  }

  want(): void {}

  filesChanged(paths: readonly PosixPath[]): void {
    const folder = this.#folder;
    if (folder === undefined) return;
    const own = paths.filter((path) => !isLeftOut(folder.folder, path));
    if (own.length === 0) return;
    const mayBeOurs =
      (this.#run !== undefined || Date.now() - this.#endedMs < AFTERMATH_MS) &&
      !own.some((path) => folder.isWanted(path));
    this.#ownReasons = mayBeOurs ? this.#ownReasons + 1 : 0;
    if (this.#ownReasons > MAX_OWN_REASONS) return;
    for (const key of own.map(keyOf)) {
      this.#changed.add(key);
      this.#changedInRun.add(key);
    }
    this.#schedule();
  }

  async settled(): Promise<void> {
    if (this.#isIdle || this.#maxWait === undefined || this.#lastRunMs > MAX_AWAITED_RUN_MS) return;
    await new Promise<void>((resolve) => this.#waiters.add(resolve));
  }

  of(path: PosixPath): readonly Diagnostic[] {
    const key = keyOf(path);
    const list = this.#lists.get(key)?.list ?? [];
    if (list.length === 0 || !this.#changed.has(key)) return list;
    this.#hidden.set(key, path);
    return [];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#wake();
    await this.#run?.close();
  }

  get #isIdle(): boolean {
    return this.#isClosed || (this.#run === undefined && !this.#isDue);
  }

  #schedule(): void {
    this.#isDue = true;
    clearTimeout(this.#maxWait);
    this.#maxWait = setTimeout(() => this.#wake(), TIMEOUT_MS);
    if (this.#run !== undefined || this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#start(), this.#options.delayMs ?? DELAY_MS);
  }

  async #start(): Promise<void> {
    const folder = this.#folder;
    if (folder === undefined || this.#isClosed) return;
    this.#isDue = false;
    this.#changedInRun.clear();
    const startedMs = Date.now();
    this.#run = new LinterRun(this.#options, folder.folder);
    const outcome = await this.#run.outcome;
    const lists = await listProblems(outcome.problems, folder.folder);
    if (this.#isClosed) return;
    this.#explain(outcome);
    this.#apply(lists, folder);
    this.#run = undefined;
    this.#endedMs = Date.now();
    this.#lastRunMs = this.#endedMs - startedMs;
    if (this.#isDue) this.#schedule();
    else this.#wake();
  }

  #apply(lists: ReadonlyMap<string, ProblemList>, folder: ProviderFolder): void {
    const changed = new Map(this.#hidden);
    for (const [key, { path }] of new Map([...this.#lists, ...lists])) {
      const [before, after] = [this.#lists.get(key)?.list, lists.get(key)?.list];
      if (JSON.stringify(before) !== JSON.stringify(after)) changed.set(key, path);
    }
    this.#lists = lists;
    this.#hidden.clear();
    this.#changed = new Set(this.#changedInRun);
    if (changed.size > 0) folder.changed([...changed.values()]);
  }

  #explain({ problems, end, trouble, firstLine }: LinterOutcome): void {
    if (trouble !== undefined) this.#print(TROUBLES[trouble]);
    else if (cannotRun(end)) {
      this.#print(`cannot be run (${end.words}): is it installed, and on the PATH?`);
    } else if (end.code !== 0 && problems.length === 0) {
      const start = firstLine === "" ? "" : `, which begins with ${JSON.stringify(firstLine)}`;
      const what = `exited with ${end.words}, but no problem was found in its output${start}`;
      this.#print(`${what}; name its format with --matcher`);
    }
  }

  #print(words: string): void {
    if (this.#output.has(words)) return;
    if (this.#output.size > MAX_NOTICES) return;
    this.#output.add(words);
    this.#options.onNotice?.(`the linter ${JSON.stringify(this.#options.command)} ${words}`);
  }

  #wake(): void {
    clearTimeout(this.#maxWait);
    this.#maxWait = undefined;
    for (const resolve of this.#waiters) resolve();
    this.#waiters.clear();
  }
}

const TROUBLES = {
  "too-long": "took too long and was terminated; its findings are dropped",
  "too-much": "printed more than 8 MiB and was terminated; its findings so far are used",
  "too-slow":
    "was terminated: finding the problems in its output takes too long; name a simpler format with --matcher",
} as const;

/** Changes by version control, package managers and builds cause no run. */
function isLeftOut(folder: PosixPath, path: PosixPath): boolean {
  return path.slice(folder.length).split("/").some(isSkipped);
}
