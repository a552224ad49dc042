import {
  type AiMetadata,
  type CommentReply,
  type CommentStatus,
  type CommentTag,
  isCommentTag,
  type PairedComment,
} from "./document.ts";
import { Fields } from "./fields.ts";
import { share } from "./share.ts";

/** A comment as it was read, with what its dialect says of its place. */
export interface ReadComment {
  /** As in the file, whatever form it has. */
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
  const told = fields.peek("tag");
  const isSourceTag = fields.has("tag") && !isCommentTag(told);
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
      // Of two texts that are equal one is kept.
      updated: updated === undefined || updated === created ? created : updated,
      optional: {
        ...(aiMeta === undefined ? {} : { aiMeta }),
        ...(status === undefined ? {} : { status }),
        ...(replies === undefined ? {} : { replies: replies.map(readReply(path)) }),
      },
      unknown: isSourceTag ? { sourceTag: told ?? null, ...fields.rest() } : fields.rest(),
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

/** The tag as it is told, else as the text begins: `TODO: …`. What has none is a note. */
export function tagOfText(text: string): CommentTag {
  const word = /^\s*(?:([A-Za-z]+)(?=[:\s]|$)|([?⭐]))/u.exec(text);
  const told = (word?.[1] ?? word?.[2] ?? "").toUpperCase();
  return isCommentTag(told) ? told : (spellings.get(told) ?? "NOTE");
}

/** A tag of another program is the nearest of ours; as it was, it stays with the comment. */
function readTag(fields: Fields, text: string): CommentTag {
  const told = fields.take("tag");
  if (isCommentTag(told)) return told;
  return typeof told === "string" ? (spellings.get(told) ?? tagOfText(text)) : tagOfText(text);
}

function readStatus(fields: Fields): CommentStatus | undefined {
  const told = fields.peek("status");
  if (told !== "open" && told !== "resolved" && told !== "wontfix") return undefined;
  fields.take("status");
  return told;
}

/** Metadata of another form is left with the fields that are not known. */
function readAiMetadata(fields: Fields, path: string): AiMetadata | undefined {
  const told = fields.peek("aiMeta");
  if (typeof told !== "object" || told === null || Array.isArray(told)) return undefined;
  const inner = new Fields(told, `${path}.aiMeta`);
  const known = ["model", "confidence", "reasoning", "enrichedAt"];
  if (Object.keys(told).some((key) => !known.includes(key))) return undefined;
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
