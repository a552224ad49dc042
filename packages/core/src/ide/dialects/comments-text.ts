import type { LineComment } from "../editor-host.ts";

/** Claude Code shows its model 2,000 characters of a selection's text: half of them stay for the selection. */
const longest = 1_000;

/**
 * The comments on a selection's lines as its model reads them, before the selected text: of a selection an
 * agent shows its model nothing else (docs/clients/claude-code.md, Notifications).
 */
export function commentsText(comments: readonly LineComment[]): string {
  const lines: string[] = [];
  let left = longest;
  for (const { lines: at, id, tag, author, text } of comments) {
    const where =
      at.start === at.end ? `line ${at.start + 1}` : `lines ${at.start + 1}-${at.end + 1}`;
    const words = text.replace(/\s+/g, " ").trim();
    const line = `${where}, ${tag} by ${author} (${id}): ${words}`.slice(0, left);
    lines.push(line);
    left -= line.length;
    if (left <= 0) break;
  }
  const rest = comments.length - lines.length;
  const more = rest > 0 ? `\n… and ${rest} more` : "";
  return `[Comments on these lines, kept beside the file and not part of it:\n${lines.join("\n")}${more}]\n`;
}
