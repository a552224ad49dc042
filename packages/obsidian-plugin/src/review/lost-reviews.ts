import type { Texts } from "../texts/index.ts";
import type { Review } from "./review.ts";

/** Notifies the person of reviews whose agent has disconnected: once for all that end together. */
export class LostReviews {
  readonly #notify: (text: string) => void;
  readonly #texts: Texts;
  #lost: Pick<Review, "agent" | "name">[] = [];

  constructor(notify: (text: string) => void, texts: Texts) {
    this.#notify = notify;
    this.#texts = texts;
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
      ? this.#texts("review.gone", { agent, name })
      : this.#texts.count("review.goneTogether", lost.length);
    this.#notify(text);
  }
}
