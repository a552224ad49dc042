import { stat } from "node:fs/promises";
import { IdewireError } from "@idewire/core/rpc";
import { lockBeside } from "@idewire/node-server/internal/files";
import { CommentStore, type CommentWorkspace, createSourceReader } from "@idewire/paired-comments";
import { createFolderWorkspace, readGrammarFile } from "@idewire/paired-comments/node";
import { openRenames } from "./git-history.ts";

export interface OpenStoreOptions {
  /** Called after each change by the store itself, with the path of the source. */
  readonly onchange?: (filePath: string) => void;
  /** Wraps the folder's workspace. */
  readonly wrap?: ((workspace: CommentWorkspace) => CommentWorkspace) | undefined;
}

/**
 * The comments of a folder; the store needs no `close`.
 * @throws IdewireError `not-a-folder`
 */
export async function openCommentStore(
  folder: string,
  { onchange, wrap = (workspace) => workspace }: OpenStoreOptions = {},
): Promise<CommentStore> {
  const facts = await stat(folder).catch(() => undefined);
  if (facts?.isDirectory() !== true) {
    throw new IdewireError("not-a-folder", `${folder} is not a folder`);
  }
  return new CommentStore({
    workspace: wrap({
      ...createFolderWorkspace({ folder, lock: lockBeside, readsSynchronously: true }),
      renamedTo: openRenames(folder),
    }),
    reader: createSourceReader(readGrammarFile),
    ...(onchange === undefined ? {} : { onchange }),
  });
}
