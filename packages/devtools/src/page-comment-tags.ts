/** What a comment is about. */
export type PageCommentTag = "TODO" | "FIXME" | "NOTE" | "STAR" | "QUESTION";

/** In the order in which a person chooses one. */
export const pageCommentTags: readonly PageCommentTag[] = [
  "TODO",
  "FIXME",
  "NOTE",
  "STAR",
  "QUESTION",
];
