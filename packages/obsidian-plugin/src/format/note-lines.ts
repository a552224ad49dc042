import type { LineKind, MarkdownLine } from "@idewire/core/markdown";
import { scanBlocks } from "@idewire/core/markdown";

/** A line of a note, with what the formatter has to know about it. */
export interface NoteLine extends MarkdownLine {
  /** It is part of a comment, math or a footnote, which CommonMark does not know; left unchanged. */
  readonly isOpaque: boolean;
  /** Kinds of the nearest lines that are not blank. */
  readonly kindBefore: LineKind | undefined;
  readonly kindAfter: LineKind | undefined;
}

const RAW: ReadonlySet<LineKind> = new Set(["fence", "code", "fence-end", "html", "indented"]);

const FOOTNOTE = /^\[\^[^\]\s]+\]:/;

/** Matches content that would be its own block in a footnote, or none. */
const BLOCK_START =
  /^(?:$|[ \t]{4}|\t|(?:[-+*]|\d{1,9}[.)]|#{1,6})(?:[ \t]|$)|`{3}|~{3}|[><]|\$\$|%%)/;

/** Whether a footnote is more than a paragraph: CommonMark then parses what follows differently. */
export function hasOddFootnote(text: string, lines: readonly NoteLine[]): boolean {
  return lines.some((line, at) => {
    const content = text.slice(line.contentStart, line.end);
    const next = lines[at + 1];
    const [label] = FOOTNOTE.exec(content) ?? [];
    if (label === undefined || next === undefined || next.kind === "blank") return false;
    if (!BLOCK_START.test(content.slice(label.length).replace(/^[ \t]/, ""))) return false;
    return !FOOTNOTE.test(text.slice(next.contentStart, next.end));
  });
}

/** Whether a table in a quote or item continues outside: for CommonMark that is a paragraph. */
export function hasLazyTable(text: string, lines: readonly NoteLine[]): boolean {
  return lines.some((line, at) => {
    const before = lines[at - 1];
    if (line.kind !== "continuation" || line.depth === 0 || before === undefined) return false;
    const isLess = line.contentStart - line.start < before.contentStart - before.start;
    return isLess && text.slice(before.start, before.end).includes("|");
  });
}

type Mark = "%%" | "$$";

/** Parses the lines after the properties, as CommonMark and Obsidian do. */
export function readLines(text: string): readonly NoteLine[] {
  const { lines } = scanBlocks(text);
  const opaque = opaqueLines(text, lines);
  const before = nearestKinds(lines);
  const after = nearestKinds(lines.toReversed()).toReversed();
  // Listed explicitly: spreading each line takes longer than everything else.
  return lines.map(({ start, end, next, kind, contentStart, depth, opened }, at) => ({
    start,
    end,
    next,
    kind,
    contentStart,
    depth,
    opened,
    isOpaque: opaque[at] === true,
    kindBefore: before[at],
    kindAfter: after[at],
  }));
}

/** For each line, the kind of the last line before it that is not blank. */
function nearestKinds(lines: readonly MarkdownLine[]): readonly (LineKind | undefined)[] {
  let last: LineKind | undefined;
  return lines.map(({ kind, opened }) => {
    const before = last;
    if (kind !== "blank" || opened.length > 0) last = kind;
    return before;
  });
}

function opaqueLines(text: string, lines: readonly MarkdownLine[]): readonly boolean[] {
  let open: Mark | undefined;
  let isFootnote = false;
  let isAfterBlank = true;
  return lines.map((line) => {
    const before = open;
    open = markAfter(text, line, open);
    const isBlank = line.kind === "blank" && line.opened.length === 0;
    if (FOOTNOTE.test(text.slice(line.contentStart, line.end))) isFootnote = true;
    else if (isAfterBlank && !isBlank && isAtMargin(text, line)) isFootnote = false;
    isAfterBlank = isBlank;
    return before !== undefined || open !== undefined || isFootnote;
  });
}

/** The mark that is open after a line, given the one open before it. */
function markAfter(text: string, line: MarkdownLine, open: Mark | undefined): Mark | undefined {
  if (open === undefined && RAW.has(line.kind)) return undefined;
  const raw = text.slice(line.start, line.end);
  const marks = /\\.|`+|%%|\$\$/g;
  let now = open;
  for (let found = marks.exec(raw); found !== null; found = marks.exec(raw)) {
    const [mark] = found;
    if (mark === "%%" || mark === "$$")
      now = now === undefined ? mark : now === mark ? undefined : now;
    else if (mark.startsWith("`") && now === undefined)
      marks.lastIndex = codeEnd(raw, marks.lastIndex, mark);
  }
  return now;
}

/** Where a code span on one line ends; unclosed backticks are plain text. */
function codeEnd(raw: string, from: number, ticks: string): number {
  const runs = /`+/g;
  runs.lastIndex = from;
  for (let run = runs.exec(raw); run !== null; run = runs.exec(raw)) {
    if (run[0] === ticks) return runs.lastIndex;
  }
  return from;
}

/** Whether a line is indented too little to belong to the footnote above. */
function isAtMargin(text: string, { start, contentStart, depth, opened }: MarkdownLine): boolean {
  if (depth > opened.length) return false;
  const indent = text.slice(start, opened[0]?.start ?? contentStart);
  return indent.length < 4 && !indent.includes("\t");
}
