import { textOfDraft } from "@idewire/codemirror";
import type { Clock } from "@idewire/core";
import type { ReviewHistory } from "./history/history.ts";
import type { Review } from "./review.ts";

/** A crash costs no more of the person's work on a proposal. */
const KEEP_MS = 1_000;
/** To keep a longer text, in UTF-16 units, takes a moment: the longer it is, the less often. */
const LONG = 1_000_000;
/** Of a still longer text only the proposal is kept while it waits. */
const MAX_KEPT = 10_000_000;

export interface DraftKeeperParts {
  readonly history: Pick<ReviewHistory, "finish" | "isOn">;
  readonly clock: Clock;
  /** What the person makes of it would be lost in a crash; told once. */
  readonly onTooLong: (review: Review) => void;
}

/** Keeps what the person has made of proposals so far, for the case that the app crashes. */
export class DraftKeeper {
  readonly #parts: DraftKeeperParts;
  readonly #timers = new Map<Review, unknown>();
  readonly #tooLong = new WeakSet<Review>();

  constructor(parts: DraftKeeperParts) {
    this.#parts = parts;
  }

  /** The person has worked on it. */
  touched(review: Review): void {
    if (!this.#parts.history.isOn || this.#timers.has(review)) return;
    const { length } = review.draft.result.doc;
    const delayMs = KEEP_MS * Math.max(1, length / LONG);
    if (length > MAX_KEPT) this.#refuse(review);
    else
      this.#timers.set(
        review,
        this.#parts.clock.setTimeout(() => this.#keep(review), delayMs),
      );
  }

  /** It is decided, and kept as it is now by whoever decided. */
  forget(review: Review): void {
    this.#parts.clock.clearTimeout(this.#timers.get(review));
    this.#timers.delete(review);
  }

  #keep(review: Review): void {
    this.#timers.delete(review);
    this.#parts.history.finish(review.record, "waiting", textOfDraft(review.draft));
  }

  #refuse(review: Review): void {
    if (!this.#tooLong.has(review)) this.#parts.onTooLong(review);
    this.#tooLong.add(review);
  }
}
