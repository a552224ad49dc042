// Markdown: a separate entry, so that only its users load it. The reasons for the parser are in core's README.
export type { SyntaxNode, SyntaxNodeRef, Tree } from "@lezer/common";
export type { MarkdownDocument, MarkdownTarget } from "./document.ts";
export { isHeading, parseMarkdown, targetOf } from "./document.ts";
export { blockIds, obsidian, tasks } from "./obsidian.ts";
export { markdownParser, parseTree } from "./parser.ts";
export { tables } from "./tables.ts";
export { readShown } from "./words.ts";
