// For whoever reads Markdown: an entry of its own, so that nobody else loads it.
//
// Not mdast-util-from-markdown 2.1.0, though it decides what is right in the tests here. Processor time
// on two shared cores: a plain note of 256 kB takes it 4.8 s (ours 0.5 s), 16 kB of `*a_ ` 2.4 s and
// 64 kB of `> `, `[a](` or `*a_ ` more than 25 s (ours < 0.1 s); 4,000 nested quotes use up its stack. A
// limit of 1 s in a worker would so leave ordinary notes unchecked that are checked now. It adds 58 kB
// to `main.js` (ours is 13), before footnotes, and says nothing of lines, which the formatter needs.
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
