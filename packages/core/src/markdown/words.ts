import type { SyntaxNode } from "@lezer/common";

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  gt: ">",
  lt: "<",
  nbsp: "\u00A0",
  quot: '"',
};

const REFERENCE = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi;
const ESCAPE_OR_REFERENCE = new RegExp(`\\\\([!-/:-@[-\`{-~])|${REFERENCE.source}`, "gi");

/** Nodes whose source is not shown. */
const HIDDEN: ReadonlySet<string> = new Set([
  ...["HeaderMark", "EmphasisMark", "LinkMark", "CodeMark", "QuoteMark", "ListMark", "TaskMarker"],
  ...["HighlightMark", "StrikethroughMark", "TableDelimiter", "HorizontalRule", "HardBreak"],
  ...["LinkLabel", "LinkTitle", "LinkReference", "Image", "HTMLTag", "CodeInfo", "FrontMatter"],
  ...["BlockId", "CalloutType", "NoteComment", "NoteCommentBlock"],
  ...["CommentBlock", "ProcessingInstructionBlock"],
]);

/** Receives a part of the shown text, and the source that it stands for. */
export type OnShown = (shown: string, from: number, to: number) => void;

/** Gives the text that a node shows, without its markup. */
export function readShown(node: SyntaxNode, text: string, onShown: OnShown): void {
  const { name, from, to } = node;
  const source = text.slice(from, to);
  if (HIDDEN.has(name) || (name === "URL" && node.parent?.name === "Link")) return;
  if (name === "Escape") onShown(source.slice(1), from + 1, to);
  else if (name === "Entity") onShown(source.replace(REFERENCE, resolveReference), from, to);
  else if (name === "WikiLink") readWikiLink(source, from, onShown);
  else if (name === "HTMLBlock") readHtml(source, from, onShown);
  else readChildren(node, text, onShown);
}

function readChildren(node: SyntaxNode, text: string, onShown: OnShown): void {
  let at = node.from;
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (at < child.from) onShown(text.slice(at, child.from), at, child.from);
    readShown(child, text, onShown);
    at = child.to;
  }
  if (at < node.to) onShown(text.slice(at, node.to), at, node.to);
}

/** A link shows what is after its pipe; an embed shows another note. */
function readWikiLink(source: string, from: number, onShown: OnShown): void {
  if (source.startsWith("!")) return;
  const start = Math.max(2, source.indexOf("|") + 1);
  onShown(source.slice(start, -2), from + start, from + source.length - 2);
}

function readHtml(source: string, from: number, onShown: OnShown): void {
  for (const { 0: part, index } of source.matchAll(/<[^<>]*>|[^<]+/g)) {
    const start = from + index;
    if (!part.startsWith("<")) onShown(part, start, start + part.length);
  }
}

/** The text that a heading shows, without its markup. */
export function wordsOf(node: SyntaxNode, text: string): string {
  let words = "";
  let last = node.from;
  readShown(node, text, (shown, from, to) => {
    const isBroken = text.slice(last, from).includes("\n");
    words += (isBroken ? " " : "") + shown;
    last = to;
  });
  return words.trim();
}

/** A destination with backslash escapes and character references resolved. */
export function unescapeDestination(raw: string): string {
  return raw.replace(ESCAPE_OR_REFERENCE, (whole, escaped: string | undefined, ...groups) => {
    return escaped ?? resolveReference(whole, ...(groups as (string | undefined)[]));
  });
}

function resolveReference(whole: string, ...groups: readonly (string | undefined)[]): string {
  const [decimal, hex, name] = groups;
  if (name !== undefined) return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? whole) : whole;
  const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\uFFFD";
}
