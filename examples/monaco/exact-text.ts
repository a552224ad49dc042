import type { editor, IRange } from "monaco-editor";

const BREAK = /\r\n?|\n/g;
const BOM = "\uFEFF";

/**
 * The text of a model with the line breaks of the text that it was made of: Monaco writes all breaks of a model
 * alike. Lines that are the same as before end as before; others end like most lines.
 */
export class ExactText {
  readonly #model: editor.ITextModel;
  readonly #old: readonly string[];
  readonly #breaks: readonly string[];
  readonly #bom: string;
  readonly #common: string;
  #lines: readonly string[] = [];
  #version: number | undefined;

  constructor(model: editor.ITextModel, text: string) {
    this.#model = model;
    this.#bom = text.startsWith(BOM) ? BOM : "";
    this.#old = linesOf(text);
    this.#breaks = text.match(BREAK) ?? [];
    this.#common = commonest(this.#breaks);
  }

  get text(): string {
    return this.#bom + this.#currentLines.join("");
  }

  textIn({ startLineNumber, startColumn, endLineNumber, endColumn }: IRange): string {
    const lines = this.#currentLines.slice(startLineNumber - 1, endLineNumber);
    const last = lines.pop() ?? "";
    return [...lines, last.slice(0, endColumn - 1)].join("").slice(startColumn - 1);
  }

  /** Each with its break. */
  get #currentLines(): readonly string[] {
    const version = this.#model.getVersionId();
    if (this.#version === version) return this.#lines;
    this.#version = version;
    const lines = this.#model.getLinesContent();
    const { above, below } = sameLines(this.#old, lines);
    const added = lines.length - this.#old.length;
    const breakAt = (index: number) => {
      if (index < above) return this.#breaks[index] ?? this.#common;
      const isBelow = index >= lines.length - below;
      return (isBelow ? this.#breaks[index - added] : undefined) ?? this.#common;
    };
    let last = "";
    this.#lines = lines.map((line, at) => {
      if (at === lines.length - 1) return line;
      // A line feed would join the carriage return before it to one break.
      last = line === "" && last === "\r" ? last : breakAt(at);
      return line + last;
    });
    return this.#lines;
  }
}

/** The lines of a text as Monaco shows them. */
export function linesOf(text: string): readonly string[] {
  return (text.startsWith(BOM) ? text.slice(1) : text).split(BREAK);
}

/** How many lines are the same at the start of two texts, and at their end. */
export function sameLines(old: readonly string[], now: readonly string[]) {
  const shorter = Math.min(old.length, now.length);
  let above = 0;
  while (above < shorter && old[above] === now[above]) above += 1;
  let below = 0;
  while (below < shorter - above && old.at(-1 - below) === now.at(-1 - below)) below += 1;
  return { above, below };
}

function commonest(breaks: readonly string[]): string {
  const count = (one: string) => breaks.filter((each) => each === one).length;
  return ["\n", "\r\n", "\r"].reduce((most, one) => (count(one) > count(most) ? one : most));
}
