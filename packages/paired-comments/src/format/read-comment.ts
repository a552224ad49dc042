import {
  type AiMetadata,
  type CommentReply,
  type CommentStatus,
  type CommentTag,
  commentStatuses,
  isCommentTag,
  type PairedComment,
} from "./document.ts";
import { Fields } from "./fields.ts";
import { share } from "./share.ts";

/** A comment as read, with its place if the dialect stores it there. */
export interface ReadComment {
  /** As in the file, in any form. */
  readonly id: string;
  readonly line: number | undefined;
  readonly endLine: number | undefined;
  readonly markerId: string | undefined;
  readonly comment: Pick<
    PairedComment,
    "text" | "tag" | "author" | "created" | "updated" | "unknown"
  > & { readonly optional: Pick<PairedComment, "aiMeta" | "status" | "replies"> };
}

const unknownTime = "1970-01-01T00:00:00.000Z";

/** Reads a comment of any dialect. */
export function readComment(value: unknown, path: string): ReadComment {
  const fields = new Fields(value, path);
  const text = fields.required(fields.text("text"), "text", "a string");
  const created = fields.text("created", "timestamp") ?? unknownTime;
  const updated = fields.text("updated");
  const tagValue = fields.peek("tag");
  const isSourceTag = fields.has("tag") && !isCommentTag(tagValue);
  const tag = readTag(fields, text);
  const aiMeta = readAiMetadata(fields, path);
  const status = readStatus(fields);
  const replies = fields.list("replies");
  return {
    id: fields.required(fields.text("id"), "id", "a string"),
    line: fields.line("startLine", "line"),
    endLine: fields.line("endLine"),
    markerId: fields.text("ghostMarkerId"),
    comment: {
      text,
      tag,
      author: share(fields.text("author") ?? "unknown"),
      created,
      // Shares one string for equal texts.
      updated: updated === undefined || updated === created ? created : updated,
      optional: {
        ...(aiMeta === undefined ? {} : { aiMeta }),
        ...(status === undefined ? {} : { status }),
        ...(replies === undefined ? {} : { replies: replies.map(readReply(path)) }),
      },
      unknown: isSourceTag ? { sourceTag: tagValue ?? null, ...fields.rest() } : fields.rest(),
    },
  };
}

const spellings: ReadonlyMap<string, CommentTag> = new Map([
  ["?", "QUESTION"],
  ["⭐", "STAR"],
  ["WARN", "FIXME"],
  ["WARNING", "FIXME"],
  ["HACK", "FIXME"],
]);

/** The tag that a text begins with, as in `TODO: …`; `NOTE` by default. */
export function tagOfText(text: string): CommentTag {
  const word = /^\s*(?:([A-Za-z]+)(?=[:\s]|$)|([?⭐]))/u.exec(text);
  const tag = (word?.[1] ?? word?.[2] ?? "").toUpperCase();
  return isCommentTag(tag) ? tag : (spellings.get(tag) ?? "NOTE");
}

/** Maps a tag of another program to the nearest of ours; the comment retains the original. */
function readTag(fields: Fields, text: string): CommentTag {
  const value = fields.take("tag");
  if (isCommentTag(value)) return value;
  return typeof value === "string" ? (spellings.get(value) ?? tagOfText(text)) : tagOfText(text);
}

function readStatus(fields: Fields): CommentStatus | undefined {
  const value = fields.peek("status");
  const status = commentStatuses.find((each) => each === value);
  if (status !== undefined) fields.take("status");
  return status;
}

/** Metadata of another form remains among the unknown fields. */
function readAiMetadata(fields: Fields, path: string): AiMetadata | undefined {
  const value = fields.peek("aiMeta");
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const inner = new Fields(value, `${path}.aiMeta`);
  const known = ["model", "confidence", "reasoning", "enrichedAt"];
  if (Object.keys(value).some((key) => !known.includes(key))) return undefined;
  fields.take("aiMeta");
  const model = inner.text("model");
  const confidence = inner.number("confidence");
  const reasoning = inner.text("reasoning");
  const enrichedAt = inner.text("enrichedAt");
  return {
    ...(model === undefined ? {} : { model }),
    ...(confidence === undefined ? {} : { confidence }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(enrichedAt === undefined ? {} : { enrichedAt }),
  };
}

function readReply(path: string): (value: unknown, index: number) => CommentReply {
  return (value, index) => {
    const fields = new Fields(value, `${path}.replies[${index}]`);
    return {
      ...fields.rest(),
      id: fields.required(fields.text("id"), "id", "a string"),
      text: fields.required(fields.text("text"), "text", "a string"),
      author: fields.text("author") ?? "unknown",
      created: fields.text("created") ?? unknownTime,
    };
  };
}
