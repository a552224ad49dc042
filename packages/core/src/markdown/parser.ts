import type { Tree } from "@lezer/common";
import { type MarkdownExtension, type MarkdownParser, parser } from "@lezer/markdown";
import { definitions, labelsIn } from "./definitions.ts";
import { frontMatter } from "./front-matter.ts";
import { limits } from "./limits.ts";
import { linksTo } from "./links.ts";
import { literals } from "./literals.ts";

const common = parser.configure([limits, definitions, literals]);

/** For editors, which parse again as the text changes; links by reference are text. */
export const markdownParser: MarkdownParser = common.configure([linksTo(), frontMatter()]);

/** Finds only the blocks: definitions may follow the references to them. */
const blocksOnly = common.configure({
  remove: ["Escape", "Entity", "InlineCode", "HTMLTag", "Emphasis", "HardBreak"].concat([
    ...["EmphasisLimit", "Link", "Image", "LinkEnd"],
  ]),
});

/**
 * The syntax tree of a text: CommonMark with front matter and extensions. Offsets are those of
 * the text; the nodes have the names that `@lezer/markdown` gives them, except that a `URL` of a link or
 * definition is without angle brackets and that `FrontMatter` is a block.
 */
export function parseTree(text: string, extension: MarkdownExtension = []): Tree {
  const before = frontMatter(text);
  // The parser supports one kind of line end, and no byte order mark.
  const lines = text.replace(/^\uFEFF/, " ").replaceAll("\r\n", " \n");
  const labels = lines.includes("]:")
    ? labelsIn(blocksOnly.configure([before, extension]).parse(lines), lines)
    : undefined;
  return common.configure([before, linksTo(labels), extension]).parse(lines);
}
