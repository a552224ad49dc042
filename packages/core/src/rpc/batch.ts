/**
 * The answers to one batch (JSON-RPC 2.0 section 6): they leave as one array when the last of them
 * is there. A batch in which nothing deserves an answer gets none.
 */
export class Batch {
  readonly #replies: string[] = [];
  readonly #send: (frame: string) => void;
  #open = 1;
  #size = 0;

  constructor(send: (frame: string) => void) {
    this.#send = send;
  }

  /** How many units of text the answers have that wait for the last of them. */
  get size(): number {
    return this.#size;
  }

  /** Announces one more answer. */
  expect(): void {
    this.#open += 1;
  }

  /** One announced answer is there, or will never be. */
  complete(reply: string | undefined): void {
    if (reply !== undefined) {
      this.#replies.push(reply);
      this.#size += reply.length;
    }
    this.#open -= 1;
    if (this.#open === 0 && this.#replies.length > 0) this.#send(`[${this.#replies.join(",")}]`);
  }
}

/** Opens the answers to a batch of so many messages, or says in words what is wrong with it. */
export type OpenBatch = (
  length: number,
  limit: number,
  send: (frame: string) => void,
) => Batch | string;

export const openBatch: OpenBatch = (length, limit, send) =>
  length >= 1 && length <= limit
    ? new Batch(send)
    : `a batch has 1 to ${limit} messages, got ${length}`;
