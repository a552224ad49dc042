import { type PosixPath, toNativePath } from "@idewire/core";
import {
  type ChangeComment,
  composeComments,
  type DiffAnsweredIn,
  relativeTo,
  type SentComments,
  sendComments,
} from "@idewire/core/internal";
import { ToolFailure } from "@idewire/core/rpc";
import type { IdeListener } from "@idewire/node-server";
import { platform, recipientsOf } from "@idewire/node-server/internal";
import { joinPath } from "@idewire/node-server/internal/files";
import { commentOnChange, commentsSuffix } from "@idewire/paired-comments/internal";
import type { FolderHost } from "../folder-host/index.ts";
import { openCommentStore } from "./open-store.ts";

/** Sends a person's comments on lines of a change to its agent. */
export type SendComments = (
  id: string,
  comments: readonly ChangeComment[],
) => Promise<SentComments>;

/** The folder whose changes are commented on. */
export interface CommentedFolder {
  readonly host: FolderHost;
  /** Undefined before agents can find the folder. */
  readonly agents: Pick<IdeListener, "endpoints" | "isExcluded" | "sessions" | "share"> | undefined;
  /** Reads the author of comments. */
  readonly author: () => Promise<string>;
  /** Where the person comments. */
  readonly by: DiffAnsweredIn;
}

/**
 * Sends comments on a change of a folder; the file is named relative to the folder.
 * @throws ToolFailure when the text is no longer stored
 */
export async function sendFolderComments(
  id: string,
  comments: readonly ChangeComment[],
  { host, agents, author, by }: CommentedFolder,
): Promise<SentComments> {
  const { list } = host.changes;
  const change = list.get(id);
  const { undecided, before, after } = list.textsOf(id) ?? {};
  const text = undecided?.written ?? after;
  if (change === undefined || text === undefined)
    throw new ToolFailure("the text of this change is no longer stored");
  const { path, state } = change;
  const source = joinPath(host.folder, path);
  const message = composeComments(path, text, comments);
  const { file, ...sent } = await sendComments(message, {
    async store() {
      const reading = host.read(source);
      const current = await (before === undefined ? reading.catch(() => undefined) : reading);
      const store = await openCommentStore(toNativePath(host.folder, platform));
      await commentOnChange(store, { path, text, current, author: await author() }, comments);
      return `${source}${commentsSuffix}` as PosixPath;
    },
    ...(state === "waiting" && {
      reject: () => host.answerDiff(id, { kind: "rejected", comments: message }, by),
    }),
    async mention(stored) {
      await host.mention({ path: stored });
      return agents === undefined ? { unable: [] } : recipientsOf({ path: stored }, agents);
    },
    open: (stored) => host.open(stored),
  });
  return { ...sent, ...(file !== undefined && { file: relativeTo(host.folder, file) }) };
}
