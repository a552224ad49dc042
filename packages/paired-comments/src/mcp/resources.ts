import type { ReadOutcome } from "@idewire/core/internal";
import { callerOf } from "@idewire/core/internal";
import { type Call, RpcError, RpcErrorCode } from "@idewire/core/rpc";
import { type Resource, type ResourceContents, Resources } from "@idewire/core/server";
import { CommentError } from "../errors.ts";
import { type CommentTag, commentsSuffix, commentTags, isCommentTag } from "../format/document.ts";
import { isOrphan, type ListedComment, type ListedFile } from "../store/located-comments.ts";
import { type CommentToolContext, wantsSeedErrors } from "./comment-tool.ts";
import { unreadableValue } from "./unreadable.ts";

const root = "comment://workspace/";
const mimeType = "application/json";

/** The URIs of what changes with the comments of a file (seed 003, Resource URI Patterns). */
export function resourcesOf(filePath: string): readonly string[] {
  const tags = commentTags.map((tag) => `tags/${tag}`);
  const own = `${filePath.split("/").map(encodeURIComponent).join("/")}${commentsSuffix}`;
  return ["all", own, ...tags, "orphaned", "ai-enriched"].map((path) => root + path);
}

/** What each resource has of a file; nothing for those that have none of its comments. */
export function textsOf(file: ListedFile): ReadonlyMap<string, string> {
  const wanted = [always, always, ...commentTags.map(hasTag), isOrphan, hasAi];
  const shown = file.comments.map((located) => ({ located, text: toJson(located) }));
  const texts = resourcesOf(file.filePath).flatMap((uri, index) => {
    const isWanted = wanted[index] ?? always;
    const own = shown.filter(({ located }) => isWanted(located)).map(({ text }) => text);
    return own.length === 0 ? [] : [[uri, own.join(",")] as const];
  });
  return new Map(texts);
}

/** The comments as resources: all, of a file, by tag, orphans, those by programs. */
export function commentResources(context: CommentToolContext): Resources {
  const { store } = context;
  return new Resources({
    subscriptions: true,
    resources: [
      fixed(context, "all", "All comments", always),
      fixed(context, "orphaned", "Comments whose code is gone", isOrphan),
      fixed(context, "ai-enriched", "Comments with AI metadata", hasAi),
    ],
    templates: [
      // Before the tags: the source tags/index.ts has comments, too.
      {
        uriTemplate: `${root}{+filePath}${commentsSuffix}`,
        name: "Comments of a file",
        mimeType,
        complete: {
          filePath: async (value) => {
            const { files } = await store.all();
            return files.map(({ filePath }) => filePath).filter((path) => startsWith(path, value));
          },
        },
        read: ({ uri, variables }, _, call) =>
          told(uri, call, context, async () => {
            const file = await store.file(variables["filePath"] ?? "");
            return json(uri, fileJson(file, shownOf(file, always)));
          }),
        list: async () => {
          const { files } = await store.all();
          return files.map(({ filePath }) => ({
            uri: resourcesOf(filePath)[1] ?? "",
            name: `Comments of ${filePath}`,
            mimeType,
          }));
        },
      },
      {
        uriTemplate: `${root}tags/{tag}`,
        name: "Comments by tag",
        mimeType,
        complete: { tag: (value) => commentTags.filter((tag) => startsWith(tag, value)) },
        read: ({ uri, variables }, _, call) =>
          told(uri, call, context, async () => {
            const tag = variables["tag"];
            if (!isCommentTag(tag)) return undefined;
            return workspaceJson(uri, context, hasTag(tag));
          }),
      },
    ],
  });
}

type Wanted = (located: ListedComment) => boolean;

function always(): boolean {
  return true;
}

function hasTag(tag: CommentTag): Wanted {
  return ({ comment }) => comment.tag === tag;
}

function fixed(context: CommentToolContext, path: string, name: string, wanted: Wanted): Resource {
  const uri = root + path;
  const read = (_: string, __: unknown, call: Call) =>
    told(uri, call, context, () => workspaceJson(uri, context, wanted));
  return { uri, name, mimeType, read };
}

function hasAi({ comment }: ListedComment): boolean {
  return comment.aiMeta !== undefined;
}

function startsWith(text: string, beginning: string): boolean {
  return text.toLowerCase().startsWith(beginning.toLowerCase());
}

async function workspaceJson(
  uri: string,
  { store }: CommentToolContext,
  wanted: Wanted,
): Promise<ResourceContents> {
  const { files, errors } = await store.all();
  // Joined once: of a hundred thousand comments, each further copy takes tens of megabytes.
  const pieces = ['{"files":['];
  let totalComments = 0;
  for (const file of files) {
    const comments = shownOf(file, wanted);
    if (comments.length === 0) continue;
    if (totalComments > 0) pieces.push(",");
    pieces.push(fileJson(file, comments));
    totalComments += comments.length;
  }
  const unreadable = errors.map(unreadableValue);
  pieces.push("],", JSON.stringify({ totalComments, errors: unreadable }).slice(1));
  return json(uri, pieces.join(""));
}

/**
 * The comments of a file as resources have them, each as JSON. Not kept: of a hundred thousand comments it takes
 * as much memory as all that is known of them.
 */
function shownOf(file: ListedFile, wanted: Wanted): readonly string[] {
  return file.comments.filter(wanted).map(toJson);
}

function toJson({ comment, place, anchor }: ListedComment): string {
  const { unknown: _, ...known } = comment;
  const name = anchor === undefined ? {} : { anchor: anchor.name };
  return JSON.stringify({ ...known, ...place, ...name });
}

/** A file with some of its comments, as JSON. */
function fileJson({ filePath }: ListedFile, comments: readonly string[]): string {
  return `{"filePath":${JSON.stringify(filePath)},"comments":[${comments.join(",")}]}`;
}

function json(uri: string, text: string): ResourceContents {
  return { uri, mimeType, text };
}

/** Tells errors as the client's era does. */
async function told(
  uri: string,
  call: Call,
  context: CommentToolContext,
  read: () => Promise<ReadOutcome>,
): Promise<ReadOutcome> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof CommentError)) throw error;
    const { code, name, message, data } = error;
    const isModern = callerOf(call).traits.stateless && !wantsSeedErrors(call, context);
    if (!isModern) throw new RpcError(code, message, data);
    throw new RpcError(RpcErrorCode.InvalidParams, message, { ...data, uri, name });
  }
}
