import { IdewireError, type Peer, ToolFailure } from "@idewire/core/rpc";
import { notifyPage } from "@idewire/devtools/internal";
import {
  authorIn,
  type Environment,
  joinPath,
  toNative,
} from "@idewire/node-server/internal/files";
import { type CommentWorkspace, FrontendComments } from "@idewire/paired-comments";
import { CommentError, explainCommentError } from "@idewire/paired-comments/internal";
import type { FolderHost } from "../folder-host/index.ts";
import type { PageComments } from "../page-server/folder-comments.ts";
import { openCommentStore } from "./open-store.ts";
import { watchComments } from "./watch-comments.ts";

/**
 * The comments of a folder shown in pages: located in the text on the screen. Pages are notified of changes from
 * any source.
 * @param env where git finds the name of the person
 */
export async function openPageComments(host: FolderHost, env: Environment): Promise<PageComments> {
  const folder = toNative(host.folder);
  const pages = new Set<Peer>();
  const onchange = (filePath: string) => {
    for (const peer of pages) notifyPage(peer, "comments/changed", { filePath });
  };
  const wrap = (workspace: CommentWorkspace) => withUnsavedText(workspace, host);
  const store = await openCommentStore(folder, { onchange, wrap });
  const comments = new FrontendComments(store, () => authorIn(folder, env));
  const watch = await watchComments(folder, onchange);
  return {
    serve(peer) {
      pages.add(peer);
      void peer.closed.then(() => pages.delete(peer));
      return {
        "comments/file": ({ filePath }) => orFailure(comments.file(filePath)),
        "comments/search": ({ typed }) => orFailure(comments.search(typed)),
        "comments/act": (act) => orFailure(comments.run(act)),
      };
    },
    close: () => watch.close(),
  };
}

/** Unsaved text counts as the source. */
function withUnsavedText(workspace: CommentWorkspace, host: FolderHost): CommentWorkspace {
  const unsaved = (filePath: string) => {
    const path = joinPath(host.folder, filePath);
    return host.documents().find((each) => each.path === path && each.dirty)?.path;
  };
  return {
    ...workspace,
    stamp: (filePath) =>
      unsaved(filePath) === undefined ? workspace.stamp?.(filePath) : undefined,
    async readSource(filePath) {
      // Also checks the path.
      const saved = await workspace.readSource(filePath);
      const path = unsaved(filePath);
      return path === undefined ? saved : host.read(path);
    },
  };
}

/** Errors of files and places are shown to the person. */
async function orFailure<T>(acting: Promise<T>): Promise<T> {
  try {
    return await acting;
  } catch (error) {
    if (error instanceof CommentError) throw new ToolFailure(explainCommentError(error));
    const isTheirs = error instanceof IdewireError && error.code === "invalid-argument";
    throw isTheirs ? new ToolFailure(error.message) : error;
  }
}
