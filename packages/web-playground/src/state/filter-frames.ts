import { FilteredFrames, type FilterPlace, type FrameRows } from "@idewire/devtools/internal";
import type { Filter } from "@idewire/devtools/trace";
import type { PageModel } from "./page-model.ts";
import { rawOf } from "./raw-of.ts";
import { RegexSearch } from "./regex-search.ts";

/** A syntax error and its place in the filter. */
export interface FilterIssue {
  readonly issue: string;
  readonly place: FilterPlace;
}

/** The frames that pass a filter. */
export interface KeptFrames {
  readonly frames: FrameRows;
  /** Filters new events while there is time. @returns whether all are filtered */
  readonly update?: (hasTime: () => boolean) => boolean;
  /** Set if the filter has regular expressions. */
  readonly search?: { readonly isBehind: boolean; close(): void };
}

/** Callbacks of the regex search. */
interface SearchListener {
  /** More frames were searched. */
  readonly onmatches: () => void;
  /** An expression was stopped. */
  readonly onstop: (issue: FilterIssue) => void;
}

/** Filters the frames that a model shows. */
export function filterFrames(
  model: PageModel,
  filter: Filter,
  { onmatches, onstop }: SearchListener,
): KeptFrames {
  const { index } = model;
  const raw = (n: number): string => rawOf(model, n);
  const { regexes, source } = filter;
  const matches = new RegexSearch({
    ...{ regexes, index, raw, onmatches },
    onstop(regex, issue) {
      const from = source.indexOf(regex.source);
      onstop({ issue, place: { from, to: from + regex.source.length } });
    },
  });
  const isSearched = regexes.length > 0;
  const frames = new FilteredFrames({
    ...{ index, filter, raw },
    problems: () => model.problems.peek(),
    ...(isSearched && { matches }),
  });
  const update = (hasTime: () => boolean): boolean => {
    if (isSearched) matches.advance();
    return frames.update(hasTime);
  };
  return { frames, update, ...(isSearched && { search: matches }) };
}
