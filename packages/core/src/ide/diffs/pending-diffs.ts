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

/** A diff as an editor shows it: the request, and what the editor has prepared for it. */
export interface ShownDiff {
  readonly request: DiffRequest;
}

/** The person's answer to a diff. */
export type DiffAnswer =
  | { readonly kind: "accepted"; readonly text: string }
  | Extract<DiffOutcome, { readonly kind: "rejected" }>
  | { readonly kind: "closed" };

/** The events of an editor's diffs. `shown` is up to date when a listener is called. */
export interface PendingDiffEvents<Shown extends ShownDiff> {
  diffOpened(diff: Shown): void;
  /** A shown diff is now compared with another text, as its file has changed. */
  diffChanged(diff: Shown): void;
  /** A shown diff was answered here or closed. */
  diffClosed(diff: Shown, outcome: DiffOutcome, by: DiffEndedBy): void;
}

/** What differs between editors. */
export interface PendingDiffsOptions<Shown extends ShownDiff> {
  /**
   * Prepares a request for showing, for example by reading the current text. A diff that is prepared
   * synchronously is shown before {@link PendingDiffs.open} returns.
   */
  readonly prepare: (request: DiffRequest) => Shown | Promise<Shown>;
  /** The text as edited by the person so far; absent in an editor that does not report it. */
  readonly textOf?: (diff: Shown) => string;
  /** The error for a diff that is pending when the editor ends; by default it is cancelled. */
  readonly failAtEnd?: (request: DiffRequest) => ToolFailure;
}

interface WaitingDiff<Shown> {
  readonly request: DiffRequest;
  /** Undefined until the request is prepared. */
  prepared: Shown | undefined;
  /** Undefined until it is prepared and all earlier diffs are shown. */
  shown: Shown | undefined;
  readonly resolve: (outcome: DiffOutcome) => void;
  readonly reject: (error: unknown) => void;
  readonly unsubscribe: () => void;
}

/** The diffs that wait for the person in an editor, in order of arrival. */
export class PendingDiffs<Shown extends ShownDiff> {
  readonly events: Emitter<PendingDiffEvents<Shown>> = new Emitter();
  readonly #options: PendingDiffsOptions<Shown>;
  readonly #waiting = new Map<DiffId, WaitingDiff<Shown>>();
  #hasEnded = false;

  constructor(options: PendingDiffsOptions<Shown>) {
    this.#options = options;
  }

  /** The diffs that are shown and can be answered, oldest first. */
  get shown(): readonly Shown[] {
    return [...this.#waiting.values()].flatMap(({ shown }) => shown ?? []);
  }

  /** A shown diff; undefined when it is not pending or not shown yet. */
  get(id: DiffId): Shown | undefined {
    return this.#waiting.get(id)?.shown;
  }

  /**
   * Prepares and shows a diff. Resolves with the person's answer, or with `cancelled` when it is closed.
   * @param signal aborted when the answer is no longer wanted
   * @throws IdewireError `invalid-argument` when a diff with the same id is pending; what `prepare` throws
   */
  open(request: DiffRequest, signal: AbortSignal): Promise<DiffOutcome> {
    const { id } = request;
    if (signal.aborted || this.#hasEnded) return Promise.resolve(CANCELLED);
    if (this.#waiting.has(id)) {
      const message = `a diff with the id ${JSON.stringify(id)} is already pending`;
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
   * Settles a diff with the person's answer; false when it is not shown or no longer pending.
   * @param by where the person has answered
   */
  answer(id: DiffId, answer: DiffAnswer, by: DiffAnsweredIn): boolean {
    const waiting = this.#waiting.get(id);
    if (waiting?.shown === undefined) return false;
    this.#settle(waiting, toOutcome(answer, waiting.shown.request.proposed), by);
    return true;
  }

  /** Replaces what was prepared for a shown diff; does nothing when it is no longer pending. */
  update(shown: Shown): void {
    const waiting = this.#waiting.get(shown.request.id);
    if (waiting?.shown === undefined) return;
    waiting.shown = shown;
    this.events.emit("diffChanged", shown);
  }

  /** Closes a diff unanswered; one that is not shown yet never will be. */
  close(id: DiffId, why: CloseDiffReason): ClosedDiff {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return { alreadyClosed: true };
    const text = waiting.shown && this.#options.textOf?.(waiting.shown);
    this.#settle(waiting, CANCELLED, why);
    return { alreadyClosed: false, ...(text !== undefined && { text }) };
  }

  /** Ends the editor's diffs: pending ones as the options say; later ones are cancelled. */
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

  /** Shows in order of arrival, so that a large file is not overtaken by later diffs. */
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
    // The id may be in use again.
    if (this.#waiting.get(id) !== waiting) return;
    this.#waiting.delete(id);
    // Deferred, so that diffs which end together with this one are never shown.
    queueMicrotask(() => this.#showNext());
  }
}

function toOutcome(answer: DiffAnswer, proposed: string): DiffOutcome {
  if (answer.kind !== "accepted") return answer;
  const { text } = answer;
  return { kind: "accepted", text, edited: text !== proposed };
}
