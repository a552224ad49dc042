import type { UnitTree } from "../units/unit.ts";
import { type OpenUnit, UnitBuilder } from "../units/unit-builder.ts";
import {
  after,
  continues,
  indentOf,
  isBlank,
  isTableRule,
  isUnderline,
  kindOf,
  type Line,
  linesOf,
  outdented,
} from "./lines.ts";

const mostUnits = 50_000;
/** Lists and quotes inside each other; what is deeper is read as paragraphs. */
const mostDepth = 40;
const longestName = 120;

/**
 * Cuts Markdown into the units that its grammar would cut it into, without the grammar: sections inside
 * sections, paragraphs, items, quotes, code, rows. A block with an id of Obsidian's, `^id`, has it as name.
 */
export function readMarkdownUnits(source: string): UnitTree {
  return new MarkdownReader(source).read();
}

/** Where a block begins. */
interface Place {
  readonly lines: readonly Line[];
  readonly at: number;
  readonly first: Line;
  readonly owner: OpenUnit;
  /** How many lists and quotes are around it. */
  readonly depth: number;
}

class MarkdownReader {
  readonly #builder: UnitBuilder;
  readonly #source: string;
  /** The sections around the place that is read, the innermost last. */
  readonly #sections: { readonly unit: OpenUnit; readonly level: number }[] = [];

  constructor(source: string) {
    this.#source = source;
    this.#builder = new UnitBuilder(source, "markdown");
  }

  read(): UnitTree {
    const lines = linesOf(this.#source);
    this.#blocks(lines.slice(this.#properties(lines)), undefined, 0);
    return this.#builder.finish();
  }

  /** How many lines at the top are the properties of a note. */
  #properties(lines: readonly Line[]): number {
    const [first] = lines;
    if (first === undefined || first.text.trimEnd() !== "---") return 0;
    const end = lines.findIndex(({ text }, index) => index > 0 && text.trimEnd() === "---");
    const last = lines[end];
    if (last === undefined) return 0;
    this.#builder.addString(this.#builder.root, first.start, last.end);
    return end + 1;
  }

  /** Reads blocks into a unit, or into the sections of the file. */
  #blocks(lines: readonly Line[], inside: OpenUnit | undefined, depth: number): void {
    for (let at = 0; at < lines.length; ) {
      const first = lines[at];
      if (first === undefined) return;
      if (isBlank(first)) at += 1;
      else if (inside === undefined && kindOf(first) === "heading") at += this.#heading(first);
      else at += this.#block({ lines, at, first, owner: inside ?? this.#section(), depth });
    }
  }

  /** Reads one block; how many lines it has. */
  #block(place: Place): number {
    const { first, owner, depth } = place;
    switch (depth >= mostDepth ? "text" : kindOf(first)) {
      case "fence":
        return this.#fence(place);
      case "quote":
        return this.#quote(place);
      case "item":
        return this.#item(place);
      case "html":
        return this.#leaf(this.#open("html_block", owner), until(place, isBlank));
      case "indented":
        return this.#leaf(
          owner,
          until(place, (line) => kindOf(line) !== "indented"),
        );
      case "break":
      case "heading":
        return this.#leaf(owner, [first]);
      case "definition":
        return this.#words("link_reference_definition", [first], owner);
      default:
        return this.#text(place);
    }
  }

  #section(): OpenUnit {
    const open = this.#sections.at(-1);
    if (open !== undefined) return open.unit;
    const unit = this.#open("section", this.#builder.root);
    this.#sections.push({ unit, level: 0 });
    return unit;
  }

  #heading(line: Line): number {
    const text = line.text.trimStart();
    const level = text.length - text.replace(/^#{1,6}/, "").length;
    while ((this.#sections.at(-1)?.level ?? -1) >= level || this.#isPreamble()) {
      this.#sections.pop();
    }
    const unit = this.#open("section", this.#sections.at(-1)?.unit ?? this.#builder.root);
    unit.name = text.replace(/\s+/g, " ").trim().slice(0, longestName);
    this.#sections.push({ unit, level });
    this.#builder.addWords(unit, line.start, line.end);
    return 1;
  }

  /** What comes before the first heading is a section of its own. */
  #isPreamble(): boolean {
    return this.#sections.at(-1)?.level === 0;
  }

  #fence(place: Place): number {
    const { first, owner } = place;
    const text = first.text.trim();
    const mark = text.charAt(0);
    const { length } = /^(?:`+|~+)/.exec(text)?.[0] ?? "";
    const isEnd = (line: Line) => {
      const bare = line.text.trim();
      return bare.length >= length && bare === mark.repeat(bare.length);
    };
    const content = until({ ...place, at: place.at + 1 }, isEnd);
    const unit = this.#open("fenced_code_block", owner);
    const begin = first.end - first.text.trimStart().length;
    this.#builder.add(unit, begin, begin + length);
    this.#builder.addWords(unit, begin + length, first.end);
    if (!content.every(isBlank)) {
      const bottom = content.at(-1) ?? first;
      this.#builder.addString(unit, content[0]?.start ?? bottom.start, bottom.end);
    }
    const last = place.lines[place.at + 1 + content.length];
    if (last === undefined) return 1 + content.length;
    this.#builder.add(unit, last.start, last.end);
    return 2 + content.length;
  }

  #quote({ lines, at, owner, depth }: Place): number {
    const unit = this.#open("block_quote", owner);
    const inner: Line[] = [];
    for (let line = lines[at]; line !== undefined; line = lines[at + inner.length]) {
      const mark = kindOf(line) === "quote" ? line.text.indexOf(">") : -1;
      if (mark < 0 && !isLazy(line, inner.at(-1))) break;
      if (inner.length === 0) this.#builder.add(unit, line.start + mark, line.start + mark + 1);
      const isSpaced = line.text.charAt(mark + 1) === " ";
      inner.push(mark < 0 ? line : after(line, mark + (isSpaced ? 2 : 1)));
    }
    this.#blocks(inner, unit, depth + 1);
    return inner.length;
  }

  #item({ lines, at, first, owner, depth }: Place): number {
    const marker = /^[ \t]*(?:[-*+]|\d{1,9}[.)])/.exec(first.text)?.[0] ?? "";
    const unit = this.#open("list_item", owner);
    const begin = first.end - first.text.trimStart().length;
    this.#builder.add(unit, begin, first.start + marker.length);
    const task = /^[ \t]+\[[^\]]\](?=[ \t]|$)/.exec(first.text.slice(marker.length))?.[0] ?? "";
    const rest = after(first, marker.length + task.length);
    if (task !== "") this.#builder.add(unit, rest.start - 3, rest.start);
    const inner: Line[] = [outdented(rest, 4)];
    const indent = indentOf(first);
    for (let line = lines[at + 1]; line !== undefined; line = lines[at + inner.length]) {
      const isDeeper = indentOf(line) > Math.max(1, indent);
      if (!isBlank(line) && !isDeeper && !isLazy(line, inner.at(-1))) break;
      inner.push(isDeeper ? outdented(line, marker.length + 1) : line);
    }
    while (inner.length > 1 && inner.at(-1)?.text.trim() === "") inner.pop();
    this.#blocks(inner, unit, depth + 1);
    return inner.length;
  }

  /** A paragraph, or a table. */
  #text(place: Place): number {
    const { lines, at, first, owner } = place;
    const rule = lines[at + 1];
    if (rule !== undefined && isTableRule(rule) && first.text.includes("|")) {
      this.#cells(owner, first);
      this.#pieces(owner, rule, /[|:-]/g);
      const isEnd = (line: Line) => isBlank(line) || !line.text.includes("|");
      const rows = until({ ...place, at: at + 2 }, isEnd);
      for (const row of rows) this.#cells(this.#open("pipe_table_row", owner), row);
      return 2 + rows.length;
    }
    const rest = until({ ...place, at: at + 1 }, (line) => !continues(line) || isUnderline(line));
    const count = this.#words("paragraph", [first, ...rest], owner);
    const next = lines[at + count];
    if (next === undefined || !isUnderline(next)) return count;
    return count + this.#leaf(owner, [next]);
  }

  /** A row of a table: the bars, and what is between them. */
  #cells(unit: OpenUnit, line: Line): void {
    this.#pieces(unit, line, /\||[^|\s](?:[^|\\]|\\.?)*/g);
  }

  #pieces(unit: OpenUnit, { text, start }: Line, pattern: RegExp): void {
    for (const { 0: piece, index } of text.matchAll(pattern)) {
      const end = start + index + piece.length;
      this.#builder.addString(unit, start + index, end);
    }
  }

  /** Adds the lines word by word; how many there are. */
  #leaf(unit: OpenUnit, lines: readonly Line[]): number {
    const [first, last] = [lines[0], lines.at(-1)];
    if (first === undefined || last === undefined) return 1;
    this.#builder.addString(unit, first.end - first.text.trimStart().length, last.end);
    return lines.length;
  }

  #words(type: string, lines: readonly Line[], owner: OpenUnit): number {
    const [first, last] = [lines[0], lines.at(-1)];
    if (first === undefined || last === undefined) return 0;
    const unit = this.#open(type, owner);
    this.#builder.addWords(unit, first.start, last.end);
    const id = /(?:^|[ \t])(\^[A-Za-z0-9-]{1,100})[ \t]*$/.exec(last.text.slice(-200))?.[1];
    if (id !== undefined) unit.name = id;
    return lines.length;
  }

  #open(type: string, owner: OpenUnit): OpenUnit {
    return this.#builder.count >= mostUnits ? owner : this.#builder.open(type, owner);
  }
}

/** Text goes on in a quote or an item without the marker. */
function isLazy(line: Line, before: Line | undefined): boolean {
  return before !== undefined && !isBlank(before) && kindOf(before) === "text" && continues(line);
}

/** The lines from a place on, up to one that is none of them. */
function until({ lines, at }: Pick<Place, "lines" | "at">, isEnd: (line: Line) => boolean) {
  let end = at;
  for (let line = lines[end]; line !== undefined && !isEnd(line); line = lines[end]) end += 1;
  return lines.slice(at, end);
}
