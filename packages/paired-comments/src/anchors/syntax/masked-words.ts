/** A range of a source, by offsets. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** The words of a source that are blank in the parsed text, in source order. */
export class MaskedWords {
  readonly #source: string;
  readonly #ranges: readonly Range[];
  #next = 0;

  constructor(source: string, text: string) {
    this.#source = source;
    this.#ranges = text === source ? [] : rangesOf(source, text);
  }

  /** Takes those before an offset. */
  *until(end: number): Iterable<Range> {
    for (; (this.#ranges[this.#next]?.end ?? Number.POSITIVE_INFINITY) <= end; this.#next++) {
      yield this.#ranges[this.#next] as Range;
    }
  }

  /** Takes those before an offset, up to one that has other text on its line. */
  *linesUntil(end: number): Iterable<Range> {
    for (;;) {
      const range = this.#ranges[this.#next];
      if (range === undefined || range.end > end || !this.#isAlone(range)) return;
      this.#next++;
      yield range;
    }
  }

  #isAlone({ start, end }: Range): boolean {
    const lineStart = this.#source.lastIndexOf("\n", start - 1) + 1;
    const lineEnd = this.#source.indexOf("\n", end);
    const after = this.#source.slice(end, lineEnd < 0 ? undefined : lineEnd).trim();
    const isEnd = after === "" || /^\/[/*]/.test(after);
    return isEnd && this.#source.slice(lineStart, start).trim() === "";
  }
}

/** Those of adjacent words of a line are one range. */
function rangesOf(source: string, text: string): readonly Range[] {
  const ranges: Range[] = [];
  let [start, end] = [-1, -1];
  for (let index = 0; index <= source.length; index++) {
    const char = source[index] ?? "\n";
    const isBlank = char === " " || char === "\t";
    if (!isBlank && char !== "\n" && text[index] === " ") {
      if (start < 0) start = index;
      end = index + 1;
    } else if (!isBlank && start >= 0) {
      ranges.push({ start, end });
      start = -1;
    }
  }
  return ranges;
}
