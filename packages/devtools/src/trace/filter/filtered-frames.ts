import type { ProblemLayer } from "../problems/problem-layer.ts";
import { firstFrom } from "../rows/first-from.ts";
import type { FrameFacts, FrameIndex, FrameRows } from "../rows/frame-index.ts";
import type { FilterRegex } from "./expression.ts";
import type { Filter, FilterSubject } from "./filter.ts";

/** The problems found so far. */
export interface KnownProblems {
  /** The number of the newest event that was checked. */
  readonly seen: number;
  layersOf(n: number): readonly ProblemLayer[];
}

/** The matches of regular expressions found so far. */
export interface RegexMatches {
  /** The number of the newest frame that was searched. */
  readonly seen: number;
  has(regex: FilterRegex, n: number): boolean;
}

/** Which frames are filtered, and how. */
export interface FilteredFramesOptions {
  readonly index: FrameIndex;
  readonly filter: Filter;
  /** The text of the frame that is event number `n`. */
  readonly raw: (n: number) => string;
  /** Called for each update. */
  readonly problems?: () => KnownProblems | undefined;
  /** Unsearched frames are left to a later update; all are searched here when left out. */
  readonly matches?: RegexMatches;
}

/** How many frames are filtered between two checks of the clock. */
const FRAMES_PER_CLOCK_CHECK = 64;

/**
 * The frames of an index that pass a filter, updated as the index grows: in the end, the same frames
 * as a filter of the whole index at once.
 */
export class FilteredFrames implements FrameRows {
  readonly #index: FrameIndex;
  readonly #filter: Filter;
  readonly #options: FilteredFramesOptions;
  #rows: FrameFacts[] = [];
  #seen = 0;
  /** How many unanswered requests of the index have been processed. */
  #ended = 0;
  /** How many changes of marks have been processed. */
  #marks = 0;
  /** The number of the newest event whose problems have been processed. */
  #problemsSeen = 0;
  #first = 0;
  #revision = 0;

  constructor(options: FilteredFramesOptions) {
    const { index, filter } = options;
    this.#options = options;
    this.#index = index;
    this.#filter = filter;
  }

  /** The frames that pass. */
  get rows(): readonly FrameFacts[] {
    return this.#rows;
  }

  get revision(): number {
    return this.#revision;
  }

  /**
   * Filters the new frames of the index.
   * @param hasTime called now and then; when false, the rest is left to the next call
   * @returns whether all frames were filtered
   */
  update(hasTime: () => boolean = () => true): boolean {
    this.#drop();
    this.#assessProblems();
    for (const n of this.#index.unansweredSince(this.#ended)) {
      if (n <= this.#seen) this.#assessAgain(n);
    }
    this.#ended = this.#index.unanswered;
    for (const n of this.#index.markChangesSince(this.#marks)) {
      if (n <= this.#seen) this.#assessAgain(n);
    }
    this.#marks = this.#index.marks;
    const { frames } = this.#index;
    const searched = this.#options.matches?.seen ?? Number.POSITIVE_INFINITY;
    const before = this.#seen;
    const from = firstFrom(frames, before + 1);
    for (let at = from; at < frames.length; at += 1) {
      if ((at - from) % FRAMES_PER_CLOCK_CHECK === FRAMES_PER_CLOCK_CHECK - 1 && !hasTime())
        return false;
      const facts = frames[at] as FrameFacts;
      if (facts.n > searched) return false;
      this.#seen = facts.n;
      if (this.#passes(facts)) this.#rows.push(facts);
      // An answer changes the facts of its request, which was filtered before.
      const { kind, pair = 0 } = facts;
      const isAnswer = kind === "result" || kind === "error";
      if (isAnswer && pair > 0 && pair <= before) this.#assessAgain(pair);
    }
    return true;
  }

  /** Drops the frames that the index has dropped. */
  #drop(): void {
    const { first } = this.#index;
    if (first === this.#first) return;
    const count = firstFrom(this.#rows, first);
    if (count > 0) this.#revision += 1;
    this.#first = first;
    this.#rows.splice(0, count);
  }

  #assessProblems(): void {
    const known = this.#options.problems?.()?.seen ?? 0;
    if (known <= this.#problemsSeen) return;
    if (this.#filter.asksProblems) {
      const { frames } = this.#index;
      const end = firstFrom(frames, Math.min(known, this.#seen) + 1);
      for (let at = firstFrom(frames, this.#problemsSeen + 1); at < end; at += 1) {
        this.#assessAgain((frames[at] as FrameFacts).n);
      }
    }
    this.#problemsSeen = known;
  }

  #assessAgain(n: number): void {
    const facts = this.#index.of(n);
    if (facts === undefined) return;
    const at = firstFrom(this.#rows, n);
    const known = this.#rows[at];
    if (known === facts && !this.#filter.asksProblems) return;
    const wasIn = known?.n === n;
    const isIn = this.#passes(facts);
    if (wasIn && isIn) this.#rows[at] = facts;
    else if (wasIn) this.#rows.splice(at, 1);
    else if (isIn) this.#rows.splice(at, 0, facts);
    if (wasIn !== isIn) this.#revision += 1;
  }

  #passes(facts: FrameFacts): boolean {
    const { raw, problems, matches } = this.#options;
    const subject: FilterSubject = {
      facts,
      raw: () => raw(facts.n),
      problems: () => problems?.()?.layersOf(facts.n) ?? [],
      ...(matches !== undefined && { found: (regex) => matches.has(regex, facts.n) }),
    };
    return this.#filter.matches(subject);
  }
}
