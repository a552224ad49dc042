import { RpcError, RpcErrorCode } from "@idewire/core/rpc";
import type { McpServer, ServerCall } from "@idewire/core/server";
import { CommentError } from "../errors.ts";
import { type CommentTag, commentsSuffix, commentTags, isCommentTag } from "../format/document.ts";
import { isOrphan, type ListedComment, type ListedFile } from "../store/located-comments.ts";
import { type CommentToolContext, isModern, wantsSeedErrors } from "./comment-tool.ts";
import { unreadableValue } from "./unreadable.ts";

const root = "comment://workspace/";
const mimeType = "application/json";

/** The URIs of resources that depend on the comments of a file (seed 003, Resource URI Patterns). */
export function resourcesOf(filePath: string): readonly string[] {
  const tags = commentTags.map((tag) => `tags/${tag}`);
  const own = `${filePath.split("/").map(encodeURIComponent).join("/")}${commentsSuffix}`;
  return ["all", own, ...tags, "orphaned", "ai-enriched"].map((path) => root + path);
}

/** The comments of a file in each resource, as JSON; resources without any are absent. */
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

/** Adds the comments as resources: all, by file, by tag, orphans, with AI metadata. */
export function addCommentResources(
  server: McpServer<undefined>,
  context: CommentToolContext,
): void {
  const { store } = context;
  addFixed(server, context, "all", { name: "All comments", wanted: always });
  const gone = { name: "Comments whose code is gone", wanted: isOrphan };
  addFixed(server, context, "orphaned", gone);
  addFixed(server, context, "ai-enriched", { name: "Comments with AI metadata", wanted: hasAi });
  // Before the tags, since a source such as tags/index.ts may have comments.
  server.resource(
    `${root}{+filePath}${commentsSuffix}`,
    {
      name: "Comments of a file",
      mimeType,
      complete: {
        filePath: async (value: string) => {
          const { files } = await store.all();
          return files.map(({ filePath }) => filePath).filter((path) => startsWith(path, value));
        },
      },
      list: async () => {
        const { files } = await store.all();
        return files.map(({ filePath }) => ({
          uri: resourcesOf(filePath)[1] ?? "",
          name: `Comments of ${filePath}`,
          mimeType,
        }));
      },
    },
    ({ filePath }, call) =>
      reportingErrors(call, context, async () => {
        const file = await store.file(filePath);
        return fileJson(file, shownOf(file, always));
      }),
  );
  server.resource(
    `${root}tags/{tag}`,
    {
      name: "Comments by tag",
      mimeType,
      complete: { tag: (value: string) => commentTags.filter((tag) => startsWith(tag, value)) },
    },
    ({ tag }, call) =>
      reportingErrors(call, context, async () =>
        isCommentTag(tag) ? workspaceJson(context, hasTag(tag)) : undefined,
      ),
  );
}

type Wanted = (located: ListedComment) => boolean;

function always(): boolean {
  return true;
}

function hasTag(tag: CommentTag): Wanted {
  return ({ comment }) => comment.tag === tag;
}

function addFixed(
  server: McpServer<undefined>,
  context: CommentToolContext,
  path: string,
  { name, wanted }: { readonly name: string; readonly wanted: Wanted },
): void {
  server.resource(root + path, { name, mimeType }, (_, call) =>
    reportingErrors(call, context, () => workspaceJson(context, wanted)),
  );
}

function hasAi({ comment }: ListedComment): boolean {
  return comment.aiMeta !== undefined;
}

function startsWith(text: string, beginning: string): boolean {
  return text.toLowerCase().startsWith(beginning.toLowerCase());
}

async function workspaceJson({ store }: CommentToolContext, wanted: Wanted): Promise<string> {
  const { files, errors } = await store.all();
  // Joined once: with a hundred thousand comments, each copy takes tens of megabytes.
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
  return pieces.join("");
}

/**
 * The comments of a file, each as JSON. Not cached: for a hundred thousand comments, the JSON takes as much
 * memory as the comments.
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

/** Reports errors in the style of the client's era. */
async function reportingErrors(
  call: ServerCall,
  context: CommentToolContext,
  read: () => Promise<string | undefined>,
): Promise<string | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof CommentError)) throw error;
    const { code, name, message, data } = error;
    if (!isModern(call) || wantsSeedErrors(call, context)) throw new RpcError(code, message, data);
    const uri = call.name;
    throw new RpcError(RpcErrorCode.InvalidParams, message, { ...data, uri, name });
  }
}
