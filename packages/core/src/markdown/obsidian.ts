import type {
  BlockContext,
  DelimiterType,
  Element,
  InlineContext,
  LeafBlockParser,
  Line,
  MarkdownConfig,
  MarkdownExtension,
} from "@lezer/markdown";
import { mayEmphasise } from "./limits.ts";
import { stateOf } from "./section-state.ts";
import { tables } from "./tables.ts";

/** `[[path#heading|text]]`, as an embed with `!` before it. */
const WIKI_LINK = /!?\[\[[^[\]\n]*\]\]/y;
const CALLOUT = /\[![\w-]+\][+-]?/y;
const FOOTNOTE = /\[\^[^[\]\s]{1,200}\]/y;
const BLOCK_ID = /\^[A-Za-z0-9-]+(?=\s*$)/y;

/** Marks around comments and formulas, which may enclose any number of blocks. */
const REGIONS: Readonly<Record<string, string>> = { "%%": "NoteComment", $$: "Math" };

/** `^id` as the last word of a block, the node `BlockId`. */
export const blockIds: MarkdownConfig = {
  defineNodes: ["BlockId"],
  parseInline: [{ name: "BlockId", before: "Link", parse: parseBlockId }],
};

/** Items such as `- [ ] buy seeds`: the block `Task` with a `TaskMarker`. */
export const tasks: MarkdownConfig = {
  defineNodes: [{ name: "Task", block: true }, "TaskMarker"],
  parseBlock: [
    {
      name: "Task",
      after: "SetextHeading",
      leaf: (cx, leaf) =>
        /^\[.\][ \t]/.test(leaf.content) && cx.parentType().name === "ListItem" ? taskParser : null,
    },
  ],
};

const taskParser: LeafBlockParser = {
  nextLine: () => false,
  finish(cx, { content, start }) {
    const marker = cx.elt("TaskMarker", start, start + 3);
    const children = [marker, ...cx.parser.parseInline(content.slice(3), start + 3)];
    cx.addElement(cx.elt("Task", start, start + content.length, children));
    return true;
  },
};

const notes: MarkdownConfig = {
  defineNodes: [
    ...["CalloutType", "Highlight", "HighlightMark", "Strikethrough", "StrikethroughMark"],
    ...["WikiLink", "FootnoteReference", "FootnoteLabel", "NoteComment", "Math", "RegionMark"],
    { name: "NoteCommentBlock", block: true },
    { name: "MathBlock", block: true },
  ],
  parseBlock: [
    {
      name: "Region",
      before: "FencedCode",
      parse: parseRegion,
      endLeaf: (_cx, line) => regionAt(line) !== undefined,
    },
  ],
  parseInline: [
    { name: "CalloutType", before: "Link", parse: parseCalloutType },
    { name: "WikiLink", before: "Link", parse: parseWikiLink },
    { name: "Footnote", before: "Link", parse: parseFootnote },
    { name: "Region", before: "Link", parse: parseInlineRegion },
    { name: "Highlight", before: "Link", parse: parsePair },
  ],
};

/**
 * What Obsidian adds to Markdown: tables, tasks, the inline nodes `WikiLink`, `FootnoteReference`,
 * `FootnoteLabel`, `BlockId`, `CalloutType`, `Highlight`, `Strikethrough`, and `NoteComment` and `Math`,
 * which may also be blocks. A block that is not closed has one `RegionMark` instead of two.
 */
export const obsidian: MarkdownExtension = [tables, tasks, blockIds, notes];

function matchAt(pattern: RegExp, cx: InlineContext, pos: number): string | undefined {
  pattern.lastIndex = pos - cx.offset;
  return pattern.exec(cx.text)?.[0];
}

function parseWikiLink(cx: InlineContext, next: number, pos: number): number {
  if (next !== 91 && next !== 33) return -1;
  const link = matchAt(WIKI_LINK, cx, pos);
  return link === undefined ? -1 : cx.addElement(cx.elt("WikiLink", pos, pos + link.length));
}

/** `[!note]` at the start of a quote. */
function parseCalloutType(cx: InlineContext, next: number, pos: number): number {
  const type = next === 91 && pos === cx.offset ? matchAt(CALLOUT, cx, pos) : undefined;
  return type === undefined ? -1 : cx.addElement(cx.elt("CalloutType", pos, pos + type.length));
}

const PAIRS: Readonly<Record<string, DelimiterType>> = {
  "==": { resolve: "Highlight", mark: "HighlightMark" },
  "~~": { resolve: "Strikethrough", mark: "StrikethroughMark" },
};

function parsePair(cx: InlineContext, next: number, pos: number): number {
  const pair = next === 61 || next === 126 ? PAIRS[cx.slice(pos, pos + 2)] : undefined;
  if (pair === undefined || !mayEmphasise(cx)) return -1;
  const [before, after] = [cx.slice(pos - 1, pos), cx.slice(pos + 2, pos + 3)];
  return cx.addDelimiter(pair, pos, pos + 2, /\S/.test(after), /\S/.test(before));
}

function parseFootnote(cx: InlineContext, next: number, pos: number): number {
  const label = next === 91 ? matchAt(FOOTNOTE, cx, pos) : undefined;
  if (label === undefined) return -1;
  const end = pos + label.length;
  const isDefined = cx.char(end) === 58 && startsLine(cx, pos);
  return cx.addElement(cx.elt(isDefined ? "FootnoteLabel" : "FootnoteReference", pos, end));
}

function startsLine(cx: InlineContext, pos: number): boolean {
  let at = pos - 1;
  while (at >= cx.offset && (cx.char(at) === 32 || cx.char(at) === 9)) at--;
  return at < cx.offset || cx.char(at) === 10;
}

function parseBlockId(cx: InlineContext, next: number, pos: number): number {
  if (next !== 94 || (pos > cx.offset && !/\s/.test(cx.slice(pos - 1, pos)))) return -1;
  const id = matchAt(BLOCK_ID, cx, pos);
  return id === undefined ? -1 : cx.addElement(cx.elt("BlockId", pos, pos + id.length));
}

/** Where the last mark of each kind is, so that no search for one fails twice. */
const lastMarks = stateOf(
  ({ text }) =>
    new Map<string, number>(
      [...Object.keys(REGIONS), "$"].map((mark) => [mark, text.lastIndexOf(mark)]),
    ),
);

/** A comment or formula within a paragraph; one that is not closed extends to its end. */
function parseInlineRegion(cx: InlineContext, next: number, pos: number): number {
  if (next !== 37 && next !== 36) return -1;
  const mark = cx.slice(pos, pos + 2);
  const name = REGIONS[mark];
  if (name === undefined) return next === 36 ? parseFormula(cx, pos) : -1;
  const end = closingEnd(cx, pos + 2, mark) ?? cx.end;
  return cx.addElement(cx.elt(name, pos, end));
}

/** A formula in a line: no space after its first mark, none before its last, no digit after it. */
function parseFormula(cx: InlineContext, pos: number): number {
  const end = closingEnd(cx, pos + 1, "$");
  if (end === undefined) return -1;
  const [first, last] = [cx.slice(pos + 1, pos + 2), cx.slice(end - 2, end - 1)];
  const isOdd = end === pos + 2 || /\s/.test(first + last) || /\d/.test(cx.slice(end, end + 1));
  return isOdd || cx.slice(pos, end).includes("\n") ? -1 : cx.addElement(cx.elt("Math", pos, end));
}

function closingEnd(cx: InlineContext, from: number, mark: string): number | undefined {
  const start = from - cx.offset;
  if ((lastMarks(cx).get(mark) ?? -1) < start) return undefined;
  return cx.offset + cx.text.indexOf(mark, start) + mark.length;
}

/** The mark that starts a line and is not closed in it. */
function regionAt(line: Line): string | undefined {
  if (line.next !== 37 && line.next !== 36) return undefined;
  const mark = line.text.slice(line.pos, line.pos + 2);
  const isOpen = REGIONS[mark] !== undefined && !line.text.includes(mark, line.pos + 2);
  return isOpen ? mark : undefined;
}

/** Reads up to the closing mark, whatever blocks are in between, as Obsidian does. */
function parseRegion(cx: BlockContext, line: Line): boolean {
  const mark = regionAt(line);
  if (mark === undefined) return false;
  const start = cx.lineStart + line.pos;
  const children: Element[] = [cx.elt("RegionMark", start, start + 2)];
  let close = -1;
  while (close === -1 && cx.nextLine()) {
    close = line.text.indexOf(mark);
    if (close === -1) continue;
    const from = cx.lineStart + close;
    children.push(cx.elt("RegionMark", from, from + 2));
    children.push(...cx.parser.parseInline(line.text.slice(close + 2), from + 2));
  }
  const end = cx.lineStart + line.text.length;
  cx.nextLine();
  cx.addElement(cx.elt(`${REGIONS[mark]}Block`, start, end, children));
  return true;
}
