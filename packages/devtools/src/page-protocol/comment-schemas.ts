import { exactly } from "@idewire/core/internal";
import * as v from "valibot";
import { pageCommentTags } from "../page-comment-tags.ts";
import type {
  CommentCandidate,
  CommentMethods,
  CommentsEvents,
  PageComment,
  PageCommentAct,
  PageCommentState,
} from "./comment-methods.ts";

/** The longest path of a page, in UTF-16 units. */
export const MAX_PATH_UNITS = 4_096;
const MAX_TEXT_UNITS = 10_000;
const MAX_SEARCH_UNITS = 2_000;
/** A deleted comment, with the outline of its source. */
const MAX_DELETED_UNITS = 16 * 1024 * 1024;

const text = v.string();
const line = v.pipe(v.number(), v.integer(), v.minValue(1));
const filePath = v.pipe(text, v.minLength(1), v.maxLength(MAX_PATH_UNITS));
const words = v.pipe(text, v.minLength(1), v.maxLength(MAX_TEXT_UNITS));
const id = v.pipe(text, v.maxLength(100));
const tag = v.picklist(pageCommentTags);
const state = v.picklist(["open", "resolved", "wontfix"] as readonly PageCommentState[]);

const act = exactly<PageCommentAct>()(
  v.variant("do", [
    v.object({
      do: v.literal("add"),
      ...{ filePath, line, endLine: v.exactOptional(line), quote: v.exactOptional(words) },
      ...{ tag, text: words },
    }),
    v.object({ do: v.literal("edit"), filePath, id, tag, text: words }),
    v.object({ do: v.literal("reply"), filePath, id, text: words }),
    v.object({ do: v.literal("setState"), filePath, id, state }),
    v.object({ do: v.literal("move"), filePath, id, target: v.object({ filePath, line }) }),
    v.object({ do: v.literal("delete"), filePath, id }),
    v.object({
      do: v.literal("restore"),
      filePath,
      deleted: v.pipe(text, v.maxLength(MAX_DELETED_UNITS)),
    }),
  ]),
);

/** How the parameters of each method of comments are checked. */
export const commentParams: {
  readonly [M in keyof CommentMethods]: v.GenericSchema<unknown, CommentMethods[M]["params"]>;
} = {
  "comments/file": v.object({ filePath }),
  "comments/search": v.object({ typed: v.pipe(text, v.maxLength(MAX_SEARCH_UNITS)) }),
  "comments/act": act,
};

const candidate = exactly<CommentCandidate>()(
  v.object({
    filePath: v.exactOptional(text),
    ...{ line: v.number(), score: v.number(), text },
  }),
);

const comment = exactly<PageComment>()(
  v.object({
    ...{ id: text, filePath: text, line: v.number(), endLine: v.exactOptional(v.number()) },
    status: v.picklist(["exact", "moved", "edited", "ambiguous", "orphaned"]),
    ...{ how: text, candidates: v.array(candidate), tag, text, author: text, created: text, state },
    replies: v.array(v.object({ id: text, text, author: text, created: text })),
    ...{ anchor: v.exactOptional(text), quote: v.exactOptional(text) },
  }),
);

const comments = v.array(comment);
const texts = v.array(text);

/** How the result of each method of comments is checked. */
export const commentResults: {
  readonly [M in keyof CommentMethods]: v.GenericSchema<unknown, CommentMethods[M]["result"]>;
} = {
  "comments/file": v.object({ comments, warnings: texts }),
  "comments/search": v.object({ comments, total: v.number(), unreadable: texts }),
  "comments/act": v.object({ filePath: text, id: text, deleted: v.exactOptional(text) }),
};

/** How the parameters of each event of comments are checked. */
export const commentEvents: {
  readonly [E in keyof CommentsEvents]: v.GenericSchema<unknown, CommentsEvents[E]>;
} = {
  "comments/changed": v.object({ filePath: text }),
};
