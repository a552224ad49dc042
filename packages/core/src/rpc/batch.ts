/**
 * The answers to one batch (JSON-RPC 2.0 section 6), sent as one array once all are complete. A batch
 * that needs no answers gets none.
 */
export class Batch {
  readonly #replies: string[] = [];
  readonly #send: (frame: string) => void;
  #open = 1;
  #size = 0;

  constructor(send: (frame: string) => void) {
    this.#send = send;
  }

  /** The total length of the completed answers, in UTF-16 units. */
  get size(): number {
    return this.#size;
  }

  /** Announces one more answer. */
  expect(): void {
    this.#open += 1;
  }

  /** Completes one announced answer; undefined when there will be none. */
  complete(reply: string | undefined): void {
    if (reply !== undefined) {
      this.#replies.push(reply);
      this.#size += reply.length;
    }
    this.#open -= 1;
    if (this.#open === 0 && this.#replies.length > 0) this.#send(`[${this.#replies.join(",")}]`);
  }
}

/** Starts the answers to a batch of `length` messages; a string says what is wrong with it. */
export type OpenBatch = (
  length: number,
  limit: number,
  send: (frame: string) => void,
) => Batch | string;

export const openBatch: OpenBatch = (length, limit, send) =>
  length >= 1 && length <= limit
    ? new Batch(send)
    : `a batch has 1 to ${limit} messages, got ${length}`;
