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
  ...["HeaderMark", "EmphasisMark", "LinkMark", "CodeMark", "QuoteMark"],
  ...["LinkLabel", "LinkTitle", "Image", "HTMLTag"],
]);

/** The text that a heading shows, without its markup. */
export function wordsOf(node: SyntaxNode, text: string): string {
  const source = (from: number, to: number) => text.slice(from, to);
  if (node.name === "HardBreak") return " ";
  if (node.name === "Escape") return source(node.from + 1, node.to);
  if (node.name === "Entity")
    return source(node.from, node.to).replace(REFERENCE, resolveReference);
  let words = "";
  let at = node.from;
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    words += source(at, child.from);
    const isHidden = HIDDEN.has(child.name) || (child.name === "URL" && node.name === "Link");
    if (!isHidden) words += wordsOf(child, text);
    at = child.to;
  }
  return words + source(at, node.to);
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
