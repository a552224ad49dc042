// For whoever reads Markdown: an entry of its own, so that nobody else loads it.
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
export { scanBlocks } from "./blocks.ts";
export type { MarkdownDocument } from "./document.ts";
export { parseMarkdown } from "./document.ts";
export { CodeSpans } from "./inline-literals.ts";
export type { LinkTail } from "./link-tail.ts";
export { linkTail } from "./link-tail.ts";
