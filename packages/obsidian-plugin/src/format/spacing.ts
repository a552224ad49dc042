import type { NoteEdit } from "./edits.ts";
import type { NoteLine } from "./note-lines.ts";

/** Removes trailing spaces and tabs that have no meaning. */
export function trimLines(text: string, lines: readonly NoteLine[]): readonly NoteEdit[] {
  const edits: NoteEdit[] = [];
  const paragraph = new OpenParagraph();
  for (const [at, line] of lines.entries()) {
    const from = contentEnd(text, line);
    if (line.kind === "paragraph") paragraph.start();
    const isOdd = paragraph.hasPipe && (line.kind === "underline" || isIndented(text, line));
    if (isText(line)) paragraph.read(text.slice(line.contentStart, from));
    if (from === line.end || line.isOpaque || isOdd) continue;
    const isMeaningless =
      line.kind === "blank"
        ? isMereBlank(line)
        : endsFreely(text, lines, at) || (isSoft(text, line, from) && paragraph.isPlain);
    if (isMeaningless) edits.push({ from, to: line.end, insert: "" });
  }
  return edits;
}

/** Whether a line is indented so far that it would be code after a table. */
function isIndented(text: string, { start, contentStart, kind }: NoteLine): boolean {
  const indent = text.slice(start, contentStart);
  return kind === "continuation" && (indent.length > 3 || indent.includes("\t"));
}

/** Where the text of a line ends, before trailing spaces and tabs. */
function contentEnd(text: string, { start, end }: NoteLine): number {
  let at = end;
  while (at > start && (text[at - 1] === " " || text[at - 1] === "\t")) at--;
  return at;
}

/** False for an empty list item, which keeps its space, and a blank line in indented code. */
function isMereBlank({ opened, kindBefore, kindAfter }: NoteLine): boolean {
  const marker = opened.at(-1)?.marker;
  if (marker !== undefined) return marker === ">";
  return kindBefore !== "indented" || kindAfter !== "indented";
}

/** Whether trailing spaces cannot affect what follows. */
function endsFreely(text: string, lines: readonly NoteLine[], at: number): boolean {
  const line = lines[at];
  if (line === undefined) return false;
  const content = text.slice(line.contentStart, line.end).trimEnd();
  // Spaces after a backslash, an empty heading or task, or a possible item are kept.
  if (/\\$|^#{1,6}$|^\[.\]$|^-$/.test(content)) return false;
  if (line.kind === "heading" || line.kind === "rule" || line.kind === "underline") return true;
  if (!isText(line)) return false;
  const next = lines[at + 1]?.kind;
  return next !== "continuation" && next !== "underline";
}

/** A single trailing space, or tabs, within a paragraph; two spaces are a line break. */
function isSoft(text: string, line: NoteLine, from: number): boolean {
  if (!isText(line)) return false;
  const tail = text.slice(from, line.end);
  return (tail.length === 1 || tail.includes("\t")) && text[from - 1] !== "\\";
}

/** Tracks whether a line break in the paragraph may be inside of an inline element. */
class OpenParagraph {
  #isPlain = true;
  #isFirst = true;
  #brackets = 0;
  #parentheses = 0;
  #hasPipe = false;

  start(): void {
    this.#isPlain = true;
    this.#isFirst = true;
    this.#brackets = 0;
    this.#parentheses = 0;
    this.#hasPipe = false;
  }

  read(content: string): void {
    if (/[`<$]/.test(content) || (this.#isFirst && content.startsWith("["))) this.#isPlain = false;
    this.#isFirst = false;
    this.#hasPipe ||= content.includes("|");
    for (const character of content) {
      if (character === "[") this.#brackets++;
      else if (character === "]") this.#brackets--;
      else if (character === "(") this.#parentheses++;
      else if (character === ")") this.#parentheses--;
    }
  }

  /** It may be a table, after which lines parse differently. */
  get hasPipe(): boolean {
    return this.#hasPipe;
  }

  /** No code, tag, math, link or definition that could continue after the line break. */
  get isPlain(): boolean {
    return this.#isPlain && this.#brackets === 0 && this.#parentheses === 0;
  }
}

/** Inserts blank lines around headings, lists and code blocks. */
export function separateBlocks(text: string, lines: readonly NoteLine[]): readonly NoteEdit[] {
  return lines.flatMap((line, at): NoteEdit[] => {
    const before = lines[at - 1];
    if (before === undefined || line.isOpaque || before.isOpaque) return [];
    if (isEmpty(text, line) || isEmpty(text, before) || !isApart(text, before, line)) return [];
    return [{ from: line.start, to: line.start, insert: text.slice(before.end, before.next) }];
  });
}

function isApart(text: string, before: NoteLine, line: NoteLine): boolean {
  // A block id must stay directly below its block.
  if (/^\^[\w-]+[ \t]*$/.test(text.slice(line.contentStart, line.end))) return false;
  if (line.depth === 0 && (line.kind === "heading" || line.kind === "fence")) return true;
  if (before.depth === 0 && (before.kind === "heading" || before.kind === "fence-end")) return true;
  return startsList(line) && before.depth === 0 && isText(before) && !isMereMarker(text, before);
}

/** Parsers differ on an item after text that is empty or starts with another item. */
function startsList({ kind, depth, opened: [first, ...others] }: NoteLine): boolean {
  if (first === undefined || first.marker === ">" || kind === "blank") return false;
  return depth === 1 && others.length === 0;
}

/** Some parsers take it for an item. */
function isMereMarker(text: string, { contentStart, end }: NoteLine): boolean {
  return /^(?:[-+*]|\d{1,9}[.)])[ \t]*$/.test(text.slice(contentStart, end));
}

function isText({ kind }: NoteLine): boolean {
  return kind === "paragraph" || kind === "continuation";
}

function isEmpty(text: string, { start, end }: NoteLine): boolean {
  return text.slice(start, end).trim() === "";
}

/** Ends a text with one line break, if trailing blank lines have no meaning. */
export function endOnce(text: string, lines: readonly NoteLine[]): readonly NoteEdit[] {
  let last = lines.length - 1;
  while (last >= 0 && isSpare(text, lines[last])) last--;
  const line = lines[last];
  if (line === undefined) return [];
  if (line.next === line.end)
    return [{ from: line.next, to: line.next, insert: lineEnd(lines, text) }];
  return line.next < text.length ? [{ from: line.next, to: text.length, insert: "" }] : [];
}

function isSpare(text: string, line: NoteLine | undefined): boolean {
  return line?.kind === "blank" && !line.isOpaque && isEmpty(text, line);
}

function lineEnd(lines: readonly NoteLine[], text: string): string {
  const [first] = lines;
  return first !== undefined && first.next > first.end ? text.slice(first.end, first.next) : "\n";
}
