import { textOfDraft } from "@idewire/codemirror";
import type { Clock } from "@idewire/core/rpc";
import type { ReviewHistory } from "./history/history.ts";
import type { Review } from "./review.ts";

/** The most of the person's edits that a crash may lose. */
const KEEP_MS = 1_000;
/** In UTF-16 units: longer texts take a moment to store, and are stored less often. */
const LONG = 1_000_000;
/** Edits of a longer text are not stored until the review is decided. */
const MAX_KEPT = 10_000_000;

export interface DraftKeeperParts {
  readonly history: Pick<ReviewHistory, "finish" | "isOn">;
  readonly clock: Clock;
  /** Called once for each review whose edits would be lost in a crash. */
  readonly onTooLong: (review: Review) => void;
}

/** Stores edits of pending reviews now and then, in case the app crashes. */
export class DraftKeeper {
  readonly #parts: DraftKeeperParts;
  readonly #timers = new Map<Review, unknown>();
  readonly #tooLong = new WeakSet<Review>();

  constructor(parts: DraftKeeperParts) {
    this.#parts = parts;
  }

  /** The person has edited it. */
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

  /** It is decided; the final text is stored elsewhere. */
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
