/** A line of a Markdown text, or what the blocks around it leave of it; offsets in UTF-16 units. */
export interface Line {
  readonly start: number;
  readonly end: number;
  /** From `start` on. */
  readonly text: string;
}

export function linesOf(source: string): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const text of source.split("\n")) {
    const cut = text.endsWith("\r") ? text.slice(0, -1) : text;
    lines.push({ start, end: start + cut.length, text: cut });
    start += text.length + 1;
  }
  return lines;
}

/** The line without its first characters. */
export function after(line: Line, length: number): Line {
  const from = Math.min(length, line.text.length);
  return { start: line.start + from, end: line.end, text: line.text.slice(from) };
}

export function isBlank({ text }: Line): boolean {
  return text.trim() === "";
}

/** Columns before the first character; a tab leads to the next multiple of four. */
export function indentOf({ text }: Line): number {
  let columns = 0;
  for (const character of text) {
    if (character === " ") columns += 1;
    else if (character === "\t") columns += 4 - (columns % 4);
    else break;
  }
  return columns;
}

/** The line without so many columns of its indentation. */
export function outdented(line: Line, columns: number): Line {
  let passed = 0;
  let length = 0;
  for (const character of line.text) {
    if (passed >= columns || (character !== " " && character !== "\t")) break;
    passed += character === "\t" ? 4 - (passed % 4) : 1;
    length += 1;
  }
  return after(line, length);
}

/** What a line of its own, or the first line of a block, is. */
export type BlockKind =
  | "heading"
  | "fence"
  | "quote"
  | "item"
  | "break"
  | "html"
  | "definition"
  | "indented"
  | "text";

/** Markers with less in front of them than makes code. */
const heading = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const fence = /^ {0,3}(?:`{3}|~{3})/;
const quote = /^ {0,3}>/;
const item = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const html = /^ {0,3}<[a-zA-Z/!?]/;
const definition = /^ {0,3}\[[^\]]{1,200}\]:/;

export function kindOf(line: Line): BlockKind {
  const { text } = line;
  if (indentOf(line) > 3) return "indented";
  if (heading.test(text)) return "heading";
  if (fence.test(text)) return "fence";
  if (quote.test(text)) return "quote";
  if (isBreak(text)) return "break";
  if (item.test(text)) return "item";
  if (html.test(text)) return "html";
  return definition.test(text) ? "definition" : "text";
}

/** May a line go on with the paragraph before it? */
export function continues(line: Line): boolean {
  const kind = kindOf(line);
  return !isBlank(line) && (kind === "text" || kind === "indented" || kind === "definition");
}

/** `===` or `---` below a paragraph makes a heading of it. */
export function isUnderline({ text }: Line): boolean {
  const bare = text.trim();
  return bare !== "" && (isAll(bare, "=") || isAll(bare, "-"));
}

/** The line between the head of a table and its rows. */
export function isTableRule({ text }: Line): boolean {
  return text.includes("|") && text.includes("-") && /^[ \t|:-]*$/.test(text);
}

function isBreak(text: string): boolean {
  const marks = text.replaceAll(" ", "").replaceAll("\t", "");
  const [first = ""] = marks;
  return marks.length >= 3 && "-*_".includes(first) && isAll(marks, first);
}

function isAll(text: string, character: string): boolean {
  return text === character.repeat(text.length);
}
