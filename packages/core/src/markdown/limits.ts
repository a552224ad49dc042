import type { BlockContext, InlineContext, Line, MarkdownConfig } from "@lezer/markdown";
import { stateOf } from "./section-state.ts";

/** Nested quotes and lists; an item counts twice. What is nested more deeply is a paragraph. */
const MAX_DEPTH = 100;

/** Marks such as `*` and `_` in one paragraph; the others are text. Matching takes quadratic time. */
const MAX_EMPHASIS = 500;

/** A longer paragraph in a quote is split: its quote marks are inserted one by one. */
const MAX_QUOTED = 16_000;

const CONTAINER = /^(?:>|(?:[-+*]|\d{1,9}[.)])(?:\s|$))/;

const emphasisIn = stateOf(() => ({ marks: 0 }));

/** Counts a mark of emphasis; false once there are too many in the paragraph. */
export function mayEmphasise(cx: InlineContext): boolean {
  const state = emphasisIn(cx);
  state.marks++;
  return state.marks <= MAX_EMPHASIS;
}

/** Bounds the work where the parser's own rules need more than linear time. */
export const limits: MarkdownConfig = {
  parseBlock: [
    { name: "DepthLimit", before: "Blockquote", parse: parseAtLimit },
    {
      name: "QuotedLimit",
      endLeaf: (_cx, line, leaf) => line.markers.length > 0 && leaf.content.length > MAX_QUOTED,
    },
  ],
  parseInline: [
    {
      name: "EmphasisLimit",
      before: "Emphasis",
      parse(cx, next, pos) {
        if (next !== 42 && next !== 95) return -1;
        if (mayEmphasise(cx)) return -1;
        let end = pos;
        while (cx.char(end) === next) end++;
        return end;
      },
    },
  ],
};

function parseAtLimit(cx: BlockContext, line: Line): boolean {
  if (cx.depth < MAX_DEPTH) return false;
  const rest = line.text.slice(line.pos);
  if (!CONTAINER.test(rest)) return false;
  const from = cx.lineStart + line.pos;
  const content = cx.parser.parseInline(rest, from);
  const paragraph = cx.elt("Paragraph", from, from + rest.length, content);
  cx.nextLine();
  cx.addElement(paragraph);
  return true;
}
