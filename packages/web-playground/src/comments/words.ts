import { showHidden } from "@idewire/core/internal";
import type { PageComment, PageCommentTag } from "@idewire/devtools/internal";

/** The tags, in words. */
export const tagNames: Readonly<Record<PageCommentTag, string>> = {
  ...{ TODO: "To do", FIXME: "To fix", NOTE: "Note", STAR: "Star", QUESTION: "Question" },
};

/** The sign of a tag at the editor's edge, so that none is told by its colour alone. */
export function letterOf(tag: PageCommentTag): string {
  return tag === "QUESTION" ? "?" : tag === "STAR" ? "*" : tag.charAt(0);
}

/** What has become of a comment's place; nothing of one that is where it was. */
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
      return "Its code is gone.";
  }
}

/** `line 7`, `lines 7 to 9`; where an orphan was. */
export function describeLines({
  line,
  endLine = line,
  status,
}: Pick<PageComment, "line" | "endLine"> & { readonly status?: PageComment["status"] }): string {
  const lines = endLine > line ? `lines ${line} to ${endLine}` : `line ${line}`;
  return status === "orphaned" ? `was on ${lines}` : lines;
}

/** A comment and its replies, a part each, the heading first. */
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

/** The day of a time, as people write it where the page is. */
export function describeDay(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : date.toLocaleDateString("en-GB");
}
