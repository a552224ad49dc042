import { BlockScanner } from "./block-scanner.ts";
import type { MarkdownBlocks } from "./blocks.ts";

const FRONTMATTER = /^---[ \t]*\r?\n(?:[\s\S]*?\r?\n)?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;

/**
 * Finds the blocks of a CommonMark text in a single pass over its lines. Full parsers take seconds for
 * some texts, which would block the editor.
 */
export function scanBlocks(text: string): MarkdownBlocks {
  const scanner = new BlockScanner(text);
  let start = FRONTMATTER.exec(text)?.[0].length ?? 0;
  while (start < text.length) {
    const lineFeed = text.indexOf("\n", start);
    const next = lineFeed === -1 ? text.length : lineFeed + 1;
    const end = lineFeed === -1 ? next : text[lineFeed - 1] === "\r" ? lineFeed - 1 : lineFeed;
    scanner.readLine(start, Math.max(end, start), next);
    start = next;
  }
  return scanner.finish();
}
