import { type MarkdownConfig, Table } from "@lezer/markdown";

/** The longest line that may be the one below a table's head: the rule for it takes quadratic time. */
const MAX_DELIMITERS = 2_000;

/** Tables of GitHub's Markdown. */
export const tables: MarkdownConfig = {
  ...Table,
  parseBlock: (Table.parseBlock ?? []).map((parser) => ({
    ...parser,
    endLeaf: (cx, line, leaf) =>
      cx.peekLine().length <= MAX_DELIMITERS && parser.endLeaf?.(cx, line, leaf) === true,
  })),
};
