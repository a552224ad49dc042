import type { PairedComment } from "../format/document.ts";
import type { AnchorName, ListedComment } from "../store/located-comments.ts";

/** The confirmation for a new comment, naming its declaration if there is one. */
export function anchorSentence(anchor: AnchorName | undefined): string {
  const what = anchor === undefined ? "its line" : `the ${anchor.type} '${anchor.name}'`;
  return `The comment has been anchored to ${what} and will track code changes.`;
}

/** A warning if the comment was put on a different line than requested. */
export function correctionOf(requested: number, line: number): readonly string[] {
  if (line === requested) return [];
  return [
    `The quoted text is on line ${line}, not on line ${requested}: the comment was added there.`,
  ];
}

/** `validatePassword()`, `AuthService class`. */
export function anchorWords(anchor: AnchorName | undefined): string {
  if (anchor === undefined) return "the file";
  const { name, type } = anchor;
  return type === "function" || type === "method" ? `${name}()` : `${name} ${type}`;
}

/** The text without a leading tag. */
export function withoutTag({ comment }: Pick<ListedComment, "comment">): string {
  const { text, tag } = comment;
  const rest = text.slice(tag.length);
  return text.toUpperCase().startsWith(tag) && /^:?\s/.test(rest)
    ? rest.replace(/^:?\s+/, "")
    : text;
}

/** `42`, `42-47`. */
export function linesWords({ place }: ListedComment): string {
  return place.endLine === undefined ? String(place.line) : `${place.line}-${place.endLine}`;
}

/** A line for each reply. */
export function repliesText({ replies = [] }: PairedComment): string {
  return replies.map(({ author, text }) => `\n   ${author}: ${text}`).join("");
}
