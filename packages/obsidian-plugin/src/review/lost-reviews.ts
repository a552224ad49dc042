import { texts } from "../texts/index.ts";
import type { Review } from "./review.ts";

/** Notifies the person of reviews whose agent has disconnected: once for all that end together. */
export class LostReviews {
  readonly #notify: (text: string) => void;
  #lost: Pick<Review, "agent" | "name">[] = [];

  constructor(notify: (text: string) => void) {
    this.#notify = notify;
  }

  add(review: Pick<Review, "agent" | "name">): void {
    this.#lost.push(review);
    // All reviews of a session are closed in one turn.
    if (this.#lost.length === 1) window.setTimeout(() => this.#report());
  }

  #report(): void {
    const lost = this.#lost;
    this.#lost = [];
    const [first] = lost;
    if (first === undefined) return;
    const { agent, name } = first;
    const isOne = lost.length === 1;
    const text = isOne
      ? texts.review.gone({ agent, name })
      : texts.review.goneTogether(lost.length);
    this.#notify(text);
  }
}
