import * as v from "valibot";
import type { ListedComment } from "../store/located-comments.ts";

interface ReplyValue {
  id: string;
  author: string;
  text: string;
  created: string;
}

interface CandidateValue {
  filePath?: string;
  line: number;
  score: number;
  text: string;
}

interface AiValue {
  model?: string;
  confidence?: number;
  reasoning?: string;
  enrichedAt?: string;
}

/** A comment as tools give it to programs: whoever reads this alone misses nothing of the text. */
export interface CommentValue {
  id: string;
  filePath: string;
  line: number;
  endLine?: number;
  status: "exact" | "moved" | "edited" | "ambiguous" | "orphaned";
  confidence: number;
  how: string;
  candidates: CandidateValue[];
  anchor?: string;
  tag: string;
  text: string;
  author: string;
  created: string;
  state: string;
  replies: ReplyValue[];
  aiMeta?: AiValue;
}

const candidate: v.GenericSchema<CandidateValue> = v.object({
  filePath: v.exactOptional(v.string()),
  line: v.number(),
  score: v.number(),
  text: v.string(),
});

const reply: v.GenericSchema<ReplyValue> = v.object({
  id: v.string(),
  author: v.string(),
  text: v.string(),
  created: v.string(),
});

const aiMeta: v.GenericSchema<AiValue> = v.object({
  model: v.exactOptional(v.string()),
  confidence: v.exactOptional(v.number()),
  reasoning: v.exactOptional(v.string()),
  enrichedAt: v.exactOptional(v.string()),
});

export const commentSchema: v.GenericSchema<CommentValue> = v.object({
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
});

export const remarksSchema: v.GenericSchema<string[]> = v.pipe(
  v.array(v.string()),
  v.description("What is otherwise than was asked for or expected"),
);

export function commentValue(
  { comment, place, anchor }: ListedComment,
  filePath: string,
): CommentValue {
  const { id, tag, text, author, created, status: state = "open", aiMeta: ai } = comment;
  return {
    ...place,
    ...{ id, filePath, tag, text, author, created, state },
    candidates: [...place.candidates],
    replies: [...(comment.replies ?? [])],
    ...(anchor === undefined ? {} : { anchor: anchor.name }),
    ...(ai === undefined ? {} : { aiMeta: ai }),
  };
}
