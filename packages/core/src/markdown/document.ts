import { BlockText, type MarkdownTarget } from "./block-text.ts";
import { scanInline } from "./inline-scanner.ts";
import { scanBlocks } from "./scan-blocks.ts";
import { wordsOf } from "./words.ts";

export interface MarkdownDocument {
  /** The destinations of links and images, in order. */
  readonly targets: readonly MarkdownTarget[];
  /** The texts of the headings, in order. */
  readonly headings: readonly string[];
  /** The values of `id` and `name` in HTML tags. */
  readonly ids: readonly string[];
}

const TAG = /<[a-z][^<>]*>/gi;
const ID = /\s(?:id|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;

/** Finds the links and the link targets of a Markdown text, in linear time. */
export function parseMarkdown(text: string): MarkdownDocument {
  const { inline, html } = scanBlocks(text);
  const blocks = inline.map((block) => new BlockText(text, block));
  const labels = new Set(blocks.flatMap((block) => block.labels));
  const contents = blocks.map((block) => scanInline(block.text, labels));
  const targets = blocks.flatMap((block, at) => [
    ...block.definedTargets,
    ...(contents[at]?.targets ?? []).map(({ start, end }) => block.targetAt(start, end)),
  ]);
  const tags = contents.flatMap((content) => content.html);
  const htmlBlocks = html.map(({ start, end }) => text.slice(start, end)).join("\n");
  const headings = blocks.flatMap(({ kind, text: words }, at) =>
    kind === "heading" ? wordsOf(words, contents[at]?.cuts ?? []) : [],
  );
  const ids = [htmlBlocks, ...tags].flatMap(explicitIds);
  return { targets: targets.sort((a, b) => a.start - b.start), headings, ids };
}

/** The values of `id` and `name` in HTML tags. */
function explicitIds(html: string): string[] {
  const tags = html.match(TAG) ?? [];
  return tags.flatMap((tag) =>
    [...tag.matchAll(ID)].map((match) => match[1] ?? match[2] ?? match[3] ?? ""),
  );
}
