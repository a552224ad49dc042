import type { Position, Range } from "@idewire/core";

/** Turns offsets of a text into lines and characters, both 0-based, in UTF-16 units. */
export class TextPositions {
  readonly #starts: readonly number[];

  constructor(text: string) {
    const starts = [0];
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
      starts.push(at + 1);
    }
    this.#starts = starts;
  }

  rangeOf({ start, end }: { readonly start: number; readonly end: number }): Range {
    return { start: this.#positionOf(start), end: this.#positionOf(end) };
  }

  #positionOf(offset: number): Position {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low, character: offset - (this.#starts[low] ?? 0) };
  }
}
