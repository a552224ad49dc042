import type { DelimiterType, Element, InlineContext, MarkdownConfig } from "@lezer/markdown";
import { MAX_LABEL, normaliseLabel } from "./definitions.ts";
import { type LinkTail, linkTail } from "./link-tail.ts";
import { stateOf, textOf } from "./section-state.ts";

/** Of more brackets that are open at once, the outer ones are text. */
const MAX_OPEN = 100;

interface Opener extends DelimiterType {
  readonly start: number;
  readonly end: number;
  readonly isImage: boolean;
}

interface Brackets {
  readonly text: string;
  readonly openers: Opener[];
  /** Openers below this index contain a link, so they cannot be links themselves. */
  dead: number;
}

const bracketsOf = stateOf((cx): Brackets => ({ text: textOf(cx), openers: [], dead: 0 }));

/**
 * Links and images. The parser's own rule takes any `[text]` for a reference; only defined labels make
 * one, and only then may the brackets around it not be a link.
 */
export function linksTo(labels: ReadonlySet<string> = new Set()): MarkdownConfig {
  return {
    parseInline: [
      { name: "Link", parse: (cx, next, pos) => (next === 91 ? open(cx, pos, false) : -1) },
      {
        name: "Image",
        parse: (cx, next, pos) =>
          next === 33 && cx.char(pos + 1) === 91 ? open(cx, pos, true) : -1,
      },
      { name: "LinkEnd", parse: (cx, next, pos) => (next === 93 ? close(cx, pos, labels) : -1) },
    ],
  };
}

function open(cx: InlineContext, start: number, isImage: boolean): number {
  const opener: Opener = { start, end: start + (isImage ? 2 : 1), isImage };
  const brackets = bracketsOf(cx);
  brackets.openers.push(opener);
  if (brackets.openers.length > MAX_OPEN) {
    brackets.openers.shift();
    brackets.dead = Math.max(0, brackets.dead - 1);
  }
  return cx.addDelimiter(opener, start, opener.end, true, false);
}

function close(cx: InlineContext, at: number, labels: ReadonlySet<string>): number {
  const brackets = bracketsOf(cx);
  const opener = brackets.openers.pop();
  if (opener === undefined) return -1;
  const isDead = !opener.isImage && brackets.openers.length < brackets.dead;
  brackets.dead = Math.min(brackets.dead, brackets.openers.length);
  if (isDead) return -1;
  const tail = linkTail(brackets.text, at + 1 - cx.offset);
  const end = tail === undefined ? referenceEnd(cx, opener, at, labels) : cx.offset + tail.tailEnd;
  const index = end === undefined ? null : cx.findOpeningDelimiter(opener);
  if (end === undefined || index === null) return -1;
  if (!opener.isImage) brackets.dead = brackets.openers.length;
  const children = [
    cx.elt("LinkMark", opener.start, opener.end),
    ...cx.takeContent(index),
    cx.elt("LinkMark", at, at + 1),
    ...tailElements(cx, at + 1, end, tail),
  ];
  return cx.addElement(cx.elt(opener.isImage ? "Image" : "Link", opener.start, end, children));
}

/** The end of `[text][label]`, `[label][]` or `[label]`, if the label is defined. */
function referenceEnd(
  cx: InlineContext,
  opener: Opener,
  at: number,
  labels: ReadonlySet<string>,
): number | undefined {
  if (labels.size === 0) return undefined;
  const label = /\[((?:[^\\[\]]|\\[\s\S]){0,999})\]/y;
  label.lastIndex = at + 1 - cx.offset;
  const match = label.exec(bracketsOf(cx).text);
  const end = match === null ? at + 1 : cx.offset + label.lastIndex;
  const named = match?.[1] ?? "";
  if (named.trim() !== "") return labels.has(normaliseLabel(named)) ? end : undefined;
  if (at - opener.end > MAX_LABEL) return undefined;
  return labels.has(normaliseLabel(cx.slice(opener.end, at))) ? end : undefined;
}

function tailElements(
  cx: InlineContext,
  from: number,
  to: number,
  tail: LinkTail | undefined,
): readonly Element[] {
  if (tail === undefined) return from < to ? [cx.elt("LinkLabel", from, to)] : [];
  const [start, end] = [cx.offset + tail.start, cx.offset + tail.end];
  const url = start < end ? [cx.elt("URL", start, end)] : [];
  const title = cx.skipSpace(cx.char(end) === 62 ? end + 1 : end);
  return [
    cx.elt("LinkMark", from, from + 1),
    ...url,
    ...(title < to - 1 ? [cx.elt("LinkTitle", title, to - 1)] : []),
    cx.elt("LinkMark", to - 1, to),
  ];
}
