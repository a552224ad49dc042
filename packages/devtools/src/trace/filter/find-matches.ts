/** How long a search may take before its worker is terminated, in milliseconds. */
export const REGEX_LIMIT_MS = 200;

/** Frames to search, as a message to a worker can carry them. */
export interface RegexJob {
  readonly pattern: string;
  readonly flags: string;
  readonly frames: readonly { readonly n: number; readonly raw: string }[];
}

/**
 * The numbers of the frames that match a regular expression, in order. The search may never end: run it in a
 * worker, and terminate that after {@link REGEX_LIMIT_MS}. The function is self-contained, so that its source
 * can be the worker's program.
 * @throws SyntaxError when the expression is not valid
 */
export function findMatches({ pattern, flags, frames }: RegexJob): readonly number[] {
  const regex = new RegExp(pattern, flags);
  return frames.filter(({ raw }) => regex.test(raw)).map(({ n }) => n);
}
