import type { Loc, Pos } from "obsidian";

/** The lines of a text, with where each begins. */
export class Lines {
  readonly text: string;
  readonly lines: readonly string[];
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.text = text;
    this.lines = text.split("\n");
    let at = 0;
    this.#starts = this.lines.map((line) => {
      const start = at;
      at += line.length + 1;
      return start;
    });
  }

  start(line: number): number {
    return this.#starts[line] ?? this.text.length;
  }

  loc(line: number, col: number): Loc {
    return { line, col, offset: this.start(line) + col };
  }

  /** Whole lines, up to the end of the last one. */
  span(from: number, to: number, col = 0): Pos {
    return { start: this.loc(from, col), end: this.loc(to, (this.lines[to] ?? "").length) };
  }

  locAt(offset: number): Loc {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return this.loc(low, offset - this.start(low));
  }

  posAt(from: number, to: number): Pos {
    return { start: this.locAt(from), end: this.locAt(to) };
  }
}
