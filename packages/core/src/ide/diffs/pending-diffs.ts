import { Emitter } from "../../emitter.ts";
import { IdewireError, type ToolFailure } from "../../errors.ts";
import type {
  CloseDiffReason,
  ClosedDiff,
  DiffId,
  DiffOutcome,
  DiffRequest,
} from "../editor-host.ts";
import { closeReasonOf, type DiffAnsweredIn, type DiffEndedBy } from "./diff-end.ts";

const CANCELLED: DiffOutcome = { kind: "cancelled" };

/** What an editor shows of a proposal: the request, and what it has prepared beside it. */
export interface ShownDiff {
  readonly request: DiffRequest;
}

/** What a person decides on a proposal. */
export type DiffAnswer =
  | { readonly kind: "accepted"; readonly text: string }
  | { readonly kind: "rejected" }
  | { readonly kind: "closed" };

/** What happens to the diffs of an editor. Its list is up to date before a listener is called. */
export interface PendingDiffEvents<Shown extends ShownDiff> {
  diffOpened(diff: Shown): void;
  /** A diff that was shown has ended: answered here, or closed from outside. */
  diffClosed(diff: Shown, outcome: DiffOutcome, by: DiffEndedBy): void;
}

/** What is the editor's own about its diffs. */
export interface PendingDiffsOptions<Shown extends ShownDiff> {
  /**
   * Makes what is shown of a request, by reading the current text, say. A diff whose preparation
   * takes no promise is shown before {@link PendingDiffs.open} returns.
   */
  readonly prepare: (request: DiffRequest) => Shown | Promise<Shown>;
  /** The text as the person has edited it so far; left out by an editor that does not know it. */
  readonly textOf?: (diff: Shown) => string;
  /** Rejects what still waits when the editor ends; that is cancelled when left out. */
  readonly failAtEnd?: (request: DiffRequest) => ToolFailure;
}

interface WaitingDiff<Shown> {
  readonly request: DiffRequest;
  /** Undefined until the request is prepared. */
  prepared: Shown | undefined;
  /** Undefined until it is prepared and all that came before are shown: nobody has seen it. */
  shown: Shown | undefined;
  readonly resolve: (outcome: DiffOutcome) => void;
  readonly reject: (error: unknown) => void;
  readonly unsubscribe: () => void;
}

/** The diffs that wait for a person in an editor, in the order in which they came. */
export class PendingDiffs<Shown extends ShownDiff> {
  readonly events: Emitter<PendingDiffEvents<Shown>> = new Emitter();
  readonly #options: PendingDiffsOptions<Shown>;
  readonly #waiting = new Map<DiffId, WaitingDiff<Shown>>();
  #hasEnded = false;

  constructor(options: PendingDiffsOptions<Shown>) {
    this.#options = options;
  }

  /** Those that a person can answer, oldest first. */
  get shown(): readonly Shown[] {
    return [...this.#waiting.values()].flatMap(({ shown }) => shown ?? []);
  }

  /** A diff that a person can answer; undefined when it does not wait, or is not shown yet. */
  get(id: DiffId): Shown | undefined {
    return this.#waiting.get(id)?.shown;
  }

  /**
   * Prepares and shows a request; settles with the person's answer, or `cancelled` when it is
   * closed from outside.
   * @param signal aborted when the answer is no longer wanted
   */
  open(request: DiffRequest, signal: AbortSignal): Promise<DiffOutcome> {
    const { id } = request;
    if (signal.aborted || this.#hasEnded) return Promise.resolve(CANCELLED);
    if (this.#waiting.has(id)) {
      const message = `a diff with the id ${JSON.stringify(id)} waits already`;
      return Promise.reject(new IdewireError("invalid-argument", message));
    }
    return new Promise((resolve, reject) => {
      const abandon = () => void this.close(id, closeReasonOf(signal));
      signal.addEventListener("abort", abandon);
      const unsubscribe = () => signal.removeEventListener("abort", abandon);
      const fresh = { prepared: undefined, shown: undefined };
      const waiting: WaitingDiff<Shown> = { request, ...fresh, resolve, reject, unsubscribe };
      this.#waiting.set(id, waiting);
      this.#prepare(waiting);
    });
  }

  /**
   * Settles a diff with the person's answer; false when nobody can answer it (any more).
   * @param by where the person has answered
   */
  answer(id: DiffId, answer: DiffAnswer, by: DiffAnsweredIn): boolean {
    const waiting = this.#waiting.get(id);
    if (waiting?.shown === undefined) return false;
    this.#settle(waiting, toOutcome(answer, waiting.shown.request.proposed), by);
    return true;
  }

  /** Takes a diff from the screen, unanswered; what was not shown yet never will be. */
  close(id: DiffId, why: CloseDiffReason): ClosedDiff {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return { alreadyClosed: true };
    const text = waiting.shown && this.#options.textOf?.(waiting.shown);
    this.#settle(waiting, CANCELLED, why);
    return { alreadyClosed: false, ...(text !== undefined && { text }) };
  }

  /** The editor ends: what waits ends as its options say, and what comes later is cancelled. */
  end(): void {
    this.#hasEnded = true;
    for (const waiting of [...this.#waiting.values()]) {
      this.#settle(waiting, CANCELLED, "editor-closed");
    }
  }

  #prepare(waiting: WaitingDiff<Shown>): void {
    const show = (prepared: Shown) => {
      waiting.prepared = prepared;
      this.#showNext();
    };
    const fail = (error: unknown) => {
      this.#remove(waiting);
      waiting.reject(error);
    };
    let prepared: Shown | Promise<Shown>;
    try {
      prepared = this.#options.prepare(waiting.request);
    } catch (error) {
      fail(error);
      return;
    }
    if (prepared instanceof Promise) void prepared.then(show, fail);
    else show(prepared);
  }

  /** A person answers the first one: a large file must not be overtaken by what came after it. */
  #showNext(): void {
    for (const waiting of this.#waiting.values()) {
      if (waiting.prepared === undefined) return;
      if (waiting.shown !== undefined) continue;
      waiting.shown = waiting.prepared;
      this.events.emit("diffOpened", waiting.shown);
    }
  }

  #settle(waiting: WaitingDiff<Shown>, outcome: DiffOutcome, by: DiffEndedBy): void {
    const failure = by === "editor-closed" ? this.#options.failAtEnd?.(waiting.request) : undefined;
    this.#remove(waiting);
    if (failure === undefined) waiting.resolve(outcome);
    else waiting.reject(failure);
    if (waiting.shown !== undefined) this.events.emit("diffClosed", waiting.shown, outcome, by);
  }

  #remove(waiting: WaitingDiff<Shown>): void {
    waiting.unsubscribe();
    const { id } = waiting.request;
    // The id may be another's by now.
    if (this.#waiting.get(id) !== waiting) return;
    this.#waiting.delete(id);
    // Later, so that those that end together with this one are not shown for a moment.
    queueMicrotask(() => this.#showNext());
  }
}

function toOutcome(answer: DiffAnswer, proposed: string): DiffOutcome {
  if (answer.kind !== "accepted") return { kind: answer.kind };
  const { text } = answer;
  return { kind: "accepted", text, edited: text !== proposed };
}
