/**
 * The answers to one batch (JSON-RPC 2.0 section 6), sent as one array once all are complete. A batch
 * that needs no answers gets none.
 */
export interface Batch {
  /** Announces one more answer. */
  expect(): void;
  /** Completes one announced answer, or the batch itself; undefined for no answer. */
  complete(reply?: string): void;
}

/** Starts the answers to a batch of `length` messages; returns a string for an invalid batch. */
export type OpenBatch = (
  length: number,
  limit: number,
  send: (reply: string | undefined) => void,
) => Batch | string;

export const openBatch: OpenBatch = (length, limit, send) => {
  if (length < 1 || length > limit) return `a batch has 1 to ${limit} messages, got ${length}`;
  const replies: string[] = [];
  let open = 1;
  return {
    expect() {
      open += 1;
    },
    complete(reply) {
      if (reply !== undefined) replies.push(reply);
      open -= 1;
      if (open === 0) send(replies.length > 0 ? `[${replies.join(",")}]` : undefined);
    },
  };
};
