import { countOf } from "@idewire/core/internal/base";
import { text, type Value, type Values } from "./text.ts";

/** Comments on notes. */
export const comments = {
  title: "Comments",
  show: "Show comments on the note",
  add: "Add a comment",
  search: "Search comments",
  searchHint: "Words, tag:todo, is:open",
  noNote: "Open a note to see its comments.",
  none: (note: Value) =>
    text`No comments on ${note} yet. Place the cursor in it and select Add a comment.`,
  count: (count: number) => countOf(count, "comment"),
  found: (count: number) => `${countOf(count, "comment")} found`,
  cut: (count: number) => `The first ${count} are listed.`,
  unreadable: (files: Value) =>
    text`These comment files cannot be read and were not changed: ${files}`,
  damaged: ({ note, reason }: Values<"note" | "reason">) =>
    text`The comments on ${note} cannot be read: ${reason}. The file was not changed; repair it or restore an earlier version.`,
  failed: (reason: Value) => text`The comment was not saved: ${reason}`,
  unfinished: "Save or cancel the comment that you are writing first.",
  noCursor: "Place the cursor in the note first.",
  line: (line: number) => `Line ${line}`,
  lines: ({ line, endLine }: Values<"line" | "endLine">) => `Lines ${line} to ${endLine}`,
  on: ({ line, note }: Values<"line" | "note">) => text`Comment on line ${line} of ${note}`,
  status: {
    moved: (line: Value) => text`Its text has moved from line ${line}`,
    edited: "Its text has changed",
    ambiguous: "Possible match",
    orphaned: "Its text was deleted",
  },
  state: { resolved: "Resolved", wontfix: "Won’t fix" },
  orphans: "Unplaced",
  quote: (quote: Value) => text`It was on: ${quote}`,
  candidate: ({ line, quote }: Values<"line" | "quote">) => text`Move it to line ${line}: ${quote}`,
  candidateIn: ({ line, note, quote }: Values<"line" | "note" | "quote">) =>
    text`Move it to line ${line} of ${note}: ${quote}`,
  elsewhere: "Search in other notes",
  nowhere: "No other note contains its text.",
  tag: "Tag",
  text: "Text",
  edit: "Edit",
  reply: "Reply",
  resolve: "Resolve",
  reopen: "Reopen",
  delete: "Delete",
  save: "Save",
  cancel: "Cancel",
  actionOn: ({ action, comment }: Values<"action" | "comment">) => text`${action}: ${comment}`,
  deleted: "The comment was deleted.",
  undo: "Undo",
  restored: "The comment was restored.",
  left: ({ file, reason }: Values<"file" | "reason">) => text`${file} was not moved: ${reason}`,
  taken: (next: Value) => text`${next} already exists`,
  heading: "Comments on notes",
  headingDesc: "Whether agents receive them, and your name in them.",
  tell: "Tell agents about comments",
  tellDesc:
    "After an edit: open TODO, FIXME and QUESTION comments on the note, and those whose text it removed. With a selection, if all open notes are shared: the comments on its lines.",
  author: "Your name in comments",
  authorDesc: "If empty, git's user.name in a vault under git, or else the name of your account.",
};
