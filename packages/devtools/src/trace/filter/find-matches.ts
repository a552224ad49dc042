/** How long one search may take before its worker is ended, in milliseconds. */
export const REGEX_LIMIT_MS = 200;

/** Frames to search, as a message to a worker can carry them. */
export interface RegexJob {
  readonly pattern: string;
  readonly flags: string;
  readonly frames: readonly { readonly n: number; readonly raw: string }[];
}

/**
 * The numbers of the frames that match a regular expression, in order. It may take for ever: run it in
 * a worker, and end that after {@link REGEX_LIMIT_MS}. It uses nothing outside of itself, so that its
 * own text can be the program of the worker.
 * @throws SyntaxError when the expression is not valid
 */
export function findMatches({ pattern, flags, frames }: RegexJob): readonly number[] {
  const regex = new RegExp(pattern, flags);
  return frames.filter(({ raw }) => regex.test(raw)).map(({ n }) => n);
}
