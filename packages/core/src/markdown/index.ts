// Markdown: a separate entry, so that only its users load it.
//
// Why not mdast-util-from-markdown 2.1.0, which serves as reference in the tests: CPU time on two shared
// cores. It takes 4.8 s for an ordinary note of 256 kB (ours 0.5 s), 2.4 s for 16 kB of `*a_ ` and more
// than 25 s for 64 kB of `> `, `[a](` or `*a_ ` (ours < 0.1 s); 4,000 nested quotes exhaust its stack. A
// limit of 1 s in a worker would therefore leave ordinary notes unchecked. It adds 58 kB to `main.js`
// (ours 13), not counting footnotes, and does not provide the lines that the formatter needs.
export type { MarkdownTarget } from "./block-text.ts";
export { BlockText } from "./block-text.ts";
export type {
  InlineBlock,
  LineKind,
  MarkdownBlocks,
  MarkdownLine,
  OpenedContainer,
  Segment,
} from "./blocks.ts";
export type { MarkdownDocument } from "./document.ts";
export { parseMarkdown } from "./document.ts";
export { CodeSpans } from "./inline-literals.ts";
export type { LinkTail } from "./link-tail.ts";
export { linkTail } from "./link-tail.ts";
export { scanBlocks } from "./scan-blocks.ts";
