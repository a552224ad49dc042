import type { InlineBlock, Segment } from "./blocks.ts";
import { type LinkDefinition, scanDefinitions } from "./definitions.ts";
import { unescapeDestination } from "./words.ts";

/** The destination of a link, image or definition. */
export interface MarkdownTarget {
  /** With escapes resolved, but not percent-encodings. */
  readonly url: string;
  /** The offsets of the destination in the source, without angle brackets. */
  readonly start: number;
  readonly end: number;
}

/** The lines of a block as one text, with the mapping to offsets in the source. */
export class BlockText {
  readonly kind: InlineBlock["kind"];
  /** The lines after the definitions that a paragraph may start with. */
  readonly text: string;
  readonly #source: string;
  readonly #segments: readonly Segment[];
  readonly #definitions: readonly LinkDefinition[];
  /** The length of the definitions. */
  readonly #offset: number;
  /** The offset of each segment in the joined lines. */
  readonly #starts: readonly number[];

  constructor(source: string, { kind, segments }: InlineBlock) {
    this.kind = kind;
    this.#source = source;
    this.#segments = segments;
    const joined = segments.map(({ start, end }) => source.slice(start, end)).join("\n");
    const isDefining = kind === "paragraph" && joined.startsWith("[");
    const { definitions, end } = scanDefinitions(isDefining ? joined : "");
    this.#definitions = definitions;
    this.#offset = end;
    this.text = joined.slice(end);
    let at = 0;
    this.#starts = segments.map(({ start, end }) => {
      at += end - start + 1;
      return at - (end - start + 1);
    });
  }

  get labels(): readonly string[] {
    return this.#definitions.map(({ label }) => label);
  }

  get definedTargets(): readonly MarkdownTarget[] {
    return this.#definitions.map(({ start, end }) => this.#target(start, end));
  }

  /** The target at offsets in `text`. */
  targetAt(start: number, end: number): MarkdownTarget {
    return this.#target(this.#offset + start, this.#offset + end);
  }

  #target(joinedStart: number, joinedEnd: number): MarkdownTarget {
    const start = this.#toSource(joinedStart);
    const end = this.#toSource(joinedEnd);
    return { url: unescapeDestination(this.#source.slice(start, end)), start, end };
  }

  #toSource(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return (this.#segments[low]?.start ?? 0) + offset - (this.#starts[low] ?? 0);
  }
}
