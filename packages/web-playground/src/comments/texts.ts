import { showHidden } from "@idewire/core/internal";
import type { PageComment, PageCommentTag } from "@idewire/devtools/internal";

/** The tags, in words. */
export const tagNames: Readonly<Record<PageCommentTag, string>> = {
  ...{ TODO: "To do", FIXME: "To fix", NOTE: "Note", STAR: "Star", QUESTION: "Question" },
};

/** The letter of a tag in the gutter, so that colour is not the only difference. */
export function letterOf(tag: PageCommentTag): string {
  return tag === "QUESTION" ? "?" : tag === "STAR" ? "*" : tag.charAt(0);
}

/** The state of a comment's place; undefined if it has not changed. */
export function describePlace({ status, how }: PageComment): string | undefined {
  switch (status) {
    case "exact":
      return undefined;
    case "moved":
      return "Moved along with its code.";
    case "edited":
      return `Its code has changed: ${how}.`;
    case "ambiguous":
      return "This place is a guess.";
    case "orphaned":
      return "Its code was deleted.";
  }
}

/** `line 7`, `lines 7 to 9`; the last known lines of an orphan. */
export function describeLines({
  line,
  endLine = line,
  status,
}: Pick<PageComment, "line" | "endLine"> & { readonly status?: PageComment["status"] }): string {
  const lines = endLine > line ? `lines ${line} to ${endLine}` : `line ${line}`;
  return status === "orphaned" ? `was on ${lines}` : lines;
}

/** A comment and its replies, one part each, the heading first. */
export function describeComment(comment: PageComment): readonly string[] {
  const { tag, author, text, replies, state } = comment;
  const place = describePlace(comment);
  return [
    `${tagNames[tag]}, ${author}${state === "open" ? "" : ` (${stateNames[state]})`}`,
    text,
    ...replies.map((reply) => `${reply.author}: ${reply.text}`),
    ...(place === undefined ? [] : [place]),
  ].map(showHidden);
}

export const stateNames: Readonly<Record<PageComment["state"], string>> = {
  ...{ open: "open", resolved: "resolved", wontfix: "won't fix" },
};

/** The day of a time, in the format of the browser's language. */
export function describeDay(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime())
    ? time
    : date.toLocaleDateString(undefined, { dateStyle: "medium" });
}
