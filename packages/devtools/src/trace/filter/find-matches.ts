import type { ProblemLayer } from "../problems/problem-layer.ts";
import type { FrameFacts } from "../rows/frame-facts.ts";
import { parseFilter } from "./filter.ts";

/** How long a search by a regular expression may take before its worker is ended, in milliseconds. */
export const REGEX_LIMIT_MS = 200;

/** Frames to search, as a message to a worker can carry them. */
export interface FilterJob {
  /** The filter as it was typed; regular expressions are allowed. */
  readonly source: string;
  readonly frames: readonly {
    readonly facts: FrameFacts;
    readonly raw: string;
    readonly problems?: readonly ProblemLayer[];
  }[];
}

/**
 * The numbers of the frames that match, in order; none when the filter is not valid. A regular
 * expression may take for ever: run it in a worker, and end that after {@link REGEX_LIMIT_MS}.
 */
export function findMatches({ source, frames }: FilterJob): readonly number[] {
  const filter = parseFilter(source, { regex: true });
  if (!filter.ok) return [];
  return frames
    .filter(({ facts, raw, problems = [] }) => {
      return filter.value.matches({ facts, raw: () => raw, problems: () => problems });
    })
    .map(({ facts }) => facts.n);
}
