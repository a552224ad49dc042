import {
  type CloseDiffReason,
  type ClosedDiff,
  type DiffAnsweredIn,
  type DiffEndedBy,
  type DiffId,
  type DiffOutcome,
  type DiffRequest,
  Emitter,
  IdewireError,
} from "@idewire/core";
import type { DiffEvents, PendingDiff } from "./folder-host.ts";

const CANCELLED: DiffOutcome = { kind: "cancelled" };

interface Waiting {
  /** Undefined until the current text is read. */
  prepared: PendingDiff | undefined;
  /** Undefined until it is prepared and all that came before are shown: nobody has seen it. */
  shown: PendingDiff | undefined;
  settle(outcome: DiffOutcome, by: DiffEndedBy): void;
}

/** The proposals that wait for a person, in the order in which they came. */
export class PendingDiffs {
  readonly events: Emitter<DiffEvents> = new Emitter();
  readonly #waiting = new Map<DiffId, Waiting>();
  #isClosed = false;

  get shown(): readonly PendingDiff[] {
    return [...this.#waiting.values()].flatMap(({ shown }) => shown ?? []);
  }

  /**
   * Shows what `prepare` makes of the request, and waits.
   * @param signal aborted when the answer is no longer wanted
   */
  open(
    request: DiffRequest,
    signal: AbortSignal,
    prepare: () => Promise<PendingDiff>,
  ): Promise<DiffOutcome> {
    const { id } = request;
    if (signal.aborted || this.#isClosed) return Promise.resolve({ kind: "cancelled" });
    if (this.#waiting.has(id)) {
      const message = `a diff with the id ${JSON.stringify(id)} waits already`;
      return Promise.reject(new IdewireError("invalid-argument", message));
    }
    return new Promise((resolve, reject) => {
      const abandon = () => void this.#settle(id, CANCELLED, whyAborted(signal));
      const end = () => {
        signal.removeEventListener("abort", abandon);
        this.#waiting.delete(id);
        // Later, so that those that end together with this one are not shown for a moment.
        queueMicrotask(() => this.#showNext());
      };
      const waiting: Waiting = {
        prepared: undefined,
        shown: undefined,
        settle: (outcome, by) => {
          end();
          resolve(outcome);
          const { shown } = waiting;
          if (shown) this.events.emit("diffClosed", id, outcome, { request: shown.request, by });
        },
      };
      this.#waiting.set(id, waiting);
      signal.addEventListener("abort", abandon);
      prepare().then(
        (prepared) => {
          waiting.prepared = prepared;
          this.#showNext();
        },
        (error: unknown) => {
          // The id may be another's by now.
          if (this.#waiting.get(id) === waiting) end();
          reject(error);
        },
      );
    });
  }

  /** False when it does not wait any more. */
  answer(id: DiffId, outcome: DiffOutcome, by: DiffAnsweredIn): boolean {
    const shown = this.#waiting.get(id)?.shown;
    if (shown === undefined) return false;
    if (outcome.kind !== "accepted") return this.#settle(id, outcome, by);
    const { text } = outcome;
    const edited = text !== shown.request.proposed;
    return this.#settle(id, { kind: "accepted", text, edited }, by);
  }

  close(id: DiffId, why: CloseDiffReason): ClosedDiff {
    return { alreadyClosed: !this.#settle(id, CANCELLED, why) };
  }

  closeAll(): void {
    this.#isClosed = true;
    for (const id of [...this.#waiting.keys()]) this.#settle(id, CANCELLED, "editor-closed");
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

  #settle(id: DiffId, outcome: DiffOutcome, by: DiffEndedBy): boolean {
    const waiting = this.#waiting.get(id);
    waiting?.settle(outcome, by);
    return waiting !== undefined;
  }
}

/** The session says by its signal why it does not want the answer any more. */
function whyAborted({ reason }: AbortSignal): CloseDiffReason {
  return reason === "session-gone" || reason === "answered-elsewhere" ? reason : "asked";
}
