import { exactly } from "@idewire/core/internal";
import * as v from "valibot";
import type { Candidate } from "../anchors/resolve/candidates.ts";
import type { AnchorStatus } from "../anchors/resolve/resolve.ts";
import type { AiMetadata, CommentReply } from "../format/document.ts";
import type { ListedComment } from "../store/located-comments.ts";

/** A comment in structured content: contains all the information of the text. */
export interface CommentValue {
  readonly id: string;
  readonly filePath: string;
  readonly line: number;
  readonly endLine?: number;
  readonly status: AnchorStatus;
  readonly confidence: number;
  readonly how: string;
  readonly candidates: readonly Candidate[];
  readonly anchor?: string;
  readonly tag: string;
  readonly text: string;
  readonly author: string;
  readonly created: string;
  readonly state: string;
  readonly replies: readonly CommentReply[];
  readonly aiMeta?: AiMetadata;
}

const candidate = exactly<Candidate>()(
  v.object({
    filePath: v.exactOptional(v.string()),
    line: v.number(),
    score: v.number(),
    text: v.string(),
  }),
);

const reply = exactly<CommentReply>()(
  v.object({
    id: v.string(),
    author: v.string(),
    text: v.string(),
    created: v.string(),
  }),
);

const aiMeta = exactly<AiMetadata>()(
  v.object({
    model: v.exactOptional(v.string()),
    confidence: v.exactOptional(v.number()),
    reasoning: v.exactOptional(v.string()),
    enrichedAt: v.exactOptional(v.string()),
  }),
);

export const commentSchema: v.GenericSchema<unknown, CommentValue> = exactly<CommentValue>()(
  v.object({
    id: v.string(),
    filePath: v.string(),
    line: v.number(),
    endLine: v.exactOptional(v.number()),
    status: v.picklist(["exact", "moved", "edited", "ambiguous", "orphaned"]),
    confidence: v.number(),
    how: v.string(),
    candidates: v.array(candidate),
    anchor: v.exactOptional(v.string()),
    tag: v.string(),
    text: v.string(),
    author: v.string(),
    created: v.string(),
    state: v.pipe(v.string(), v.description("open, resolved or wontfix")),
    replies: v.array(reply),
    aiMeta: v.exactOptional(aiMeta),
  }),
);

export const warningsSchema: v.GenericSchema<unknown, readonly string[]> = exactly<
  readonly string[]
>()(v.pipe(v.array(v.string()), v.description("How the result differs from the request")));

export function commentValue(
  { comment, place, anchor }: ListedComment,
  filePath: string,
): CommentValue {
  const { id, tag, text, author, created, aiMeta: ai } = comment;
  const { status: state = "open", replies = [] } = comment;
  return {
    ...place,
    ...{ id, filePath, tag, text, author, created, state, replies },
    ...(anchor === undefined ? {} : { anchor: anchor.name }),
    ...(ai === undefined ? {} : { aiMeta: ai }),
  };
}
