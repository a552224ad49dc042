/** A person's comment on lines of a proposed or written text. */
export interface ChangeComment {
  /** First and last line, 1-based and inclusive. */
  readonly line: number;
  readonly endLine: number;
  readonly text: string;
}

/** The lines of a comment in words: `Lines 3 to 5`. */
export function describeCommentedLines({ line, endLine }: Omit<ChangeComment, "text">): string {
  return line === endLine ? `Line ${line}` : `Lines ${line} to ${endLine}`;
}

/** How many lines of code are quoted for one comment. */
const MAX_QUOTED = 20;

/** The lines that a comment is about; those beyond the first twenty are left out. */
export function quoteOf(text: string, { line, endLine }: ChangeComment): readonly string[] {
  const lines = text.split(/\r\n?|\n/).slice(line - 1, endLine);
  return lines.length > MAX_QUOTED ? [...lines.slice(0, MAX_QUOTED), "…"] : lines;
}

/**
 * All comments on a text as one message for an agent: file, lines, the quoted code, and the words.
 * @param path of the file, relative to the folder
 */
export function composeComments(
  path: string,
  text: string,
  comments: readonly ChangeComment[],
): string {
  const parts = [...comments]
    .sort((a, b) => a.line - b.line)
    .map((comment) => {
      const { text: words } = comment;
      const where = describeCommentedLines(comment).toLowerCase();
      const quoted = quoteOf(text, comment).map((each) => `> ${each}`);
      return [`${path}, ${where}:`, ...quoted, words.trim()].join("\n");
    });
  return `${parts.join("\n\n")}\n`;
}
