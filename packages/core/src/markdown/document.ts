import type { SyntaxNode, SyntaxNodeRef } from "@lezer/common";
import { literalRegions, type Region } from "./literal-regions.ts";
import { parseTree } from "./parser.ts";
import { unescapeDestination, wordsOf } from "./words.ts";

/** The destination of a link, image or definition. */
export interface MarkdownTarget {
  /** With escapes resolved, but not percent-encodings. */
  readonly url: string;
  /** The offsets of the destination in the source, without angle brackets. */
  readonly start: number;
  readonly end: number;
}

export interface MarkdownDocument {
  /** The destinations of links and images, as all renderers read them, in order. */
  readonly targets: readonly MarkdownTarget[];
  /** The texts of the headings, those in HTML included, in order. */
  readonly headings: readonly string[];
  /** The ids that the text names: in HTML tags, in lists of attributes, in labels and directives of MyST and Quarto. */
  readonly ids: readonly string[];
}

/** The nodes whose text is code in every dialect. */
const CODE: ReadonlySet<string> = new Set(["FencedCode", "CodeBlock", "InlineCode"]);

const TAG = /<[a-z][^<>]*>/gi;
const TAG_OR_END = /<\/?[a-z][^<>]*>/gi;
const HTML_HEADING = /<h([1-6])(?:\s[^<>]*)?>([\s\S]{0,500}?)<\/h\1\s*>/gi;
/** `(id)=`, `$$ (id)`, and an option of a directive or a cell: `:name: id`, `#| label: id`. */
const LABEL =
  /^\(([^()\n]{1,200})\)=[ \t]*$|^\$\$[ \t]*\(([^()\n]{1,200})\)|^[ \t]*(?::(?:name|label):|(?:#|%%|\/\/)\| ?label:)[ \t]*(\S{1,200})/gm;
/** `{#id .class}`, as of a heading, a paragraph, a span or an image. */
const ATTRIBUTES = /\{([^{}\n]{1,500})\}/g;
const ATTRIBUTE_ID = /(?<=^:?|\s)#([\w:.-]+)/g;
const ID = /\s(?:id|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;

/** Finds the links and the link targets of a Markdown text, in linear time. */
export function parseMarkdown(text: string): MarkdownDocument {
  const targets: MarkdownTarget[] = [];
  const headings: string[] = [];
  const ids = [...labels(text)];
  const code: Region[] = [];
  const addTarget = (node: SyntaxNode) => {
    const target = targetOf(node, text);
    if (target !== undefined) targets.push(target);
  };
  parseTree(text).iterate({
    enter(ref) {
      const { name, from, to } = ref;
      if (isHeading(ref)) headings.push(wordsOf(ref.node, text));
      else if (CODE.has(name)) code.push({ start: from, end: to });
      else if (name === "HTMLTag" || name === "HTMLBlock") {
        const html = text.slice(from, to);
        ids.push(...explicitIds(html));
        headings.push(
          ...Array.from(html.matchAll(HTML_HEADING), ([, , words = ""]) => plain(words)),
        );
      } else if (name === "Link" || name === "LinkReference") addTarget(ref.node);
      else if (name === "Image") {
        addTarget(ref.node);
        // Its label is shown as text, so that links in it are inactive.
        return false;
      }
      return true;
    },
  });
  targets.sort((a, b) => a.start - b.start);
  return { targets: outside(literalRegions(text, code), targets), headings, ids };
}

/** The targets that are in none of the regions; both are in order. */
function outside(
  regions: readonly Region[],
  targets: readonly MarkdownTarget[],
): readonly MarkdownTarget[] {
  let index = 0;
  return targets.filter(({ start }) => {
    while ((regions[index]?.end ?? Infinity) <= start) index += 1;
    return (regions[index]?.start ?? Infinity) > start;
  });
}

/** Where a link, image or definition leads; undefined if it has no destination of its own. */
export function targetOf(node: SyntaxNode, text: string): MarkdownTarget | undefined {
  const url = node.getChild("URL");
  if (url === null) return undefined;
  return { url: unescapeDestination(text.slice(url.from, url.to)), start: url.from, end: url.to };
}

export function isHeading({ name }: Pick<SyntaxNodeRef, "name">): boolean {
  return /^(?:ATX|Setext)Heading\d$/.test(name);
}

function* labels(text: string): Generator<string> {
  for (const [, ...labels] of text.matchAll(LABEL)) yield labels.find(Boolean) ?? "";
  for (const [, attributes = ""] of text.matchAll(ATTRIBUTES)) {
    for (const [, id = ""] of attributes.matchAll(ATTRIBUTE_ID)) yield id;
  }
}

function plain(html: string): string {
  return html.replace(TAG_OR_END, "").trim();
}

/** The values of `id` and `name` in HTML tags. */
function explicitIds(html: string): string[] {
  const tags = html.match(TAG) ?? [];
  return tags.flatMap((tag) =>
    [...tag.matchAll(ID)].map((match) => match[1] ?? match[2] ?? match[3] ?? ""),
  );
}
