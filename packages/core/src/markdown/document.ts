import { BlockText, type MarkdownTarget } from "./block-text.ts";
import { scanInline } from "./inline-scanner.ts";
import { scanBlocks } from "./scan-blocks.ts";
import { wordsOf } from "./words.ts";

export interface MarkdownDocument {
  /** In the order of the text. */
  readonly targets: readonly MarkdownTarget[];
  /** The headings' words, in order. */
  readonly headings: readonly string[];
  /** The `id` and `name` of HTML tags. */
  readonly ids: readonly string[];
}

const TAG = /<[a-z][^<>]*>/gi;
const ID = /\s(?:id|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;

/** Finds where a Markdown text leads, and what may lead into it. Takes time in proportion. */
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

/** The ids and names that HTML tags give. */
function explicitIds(html: string): string[] {
  const tags = html.match(TAG) ?? [];
  return tags.flatMap((tag) =>
    [...tag.matchAll(ID)].map((match) => match[1] ?? match[2] ?? match[3] ?? ""),
  );
}
