import { type PosixPath, toNativePath } from "@idewire/core";
import {
  type ChangeComment,
  composeComments,
  type DiffAnsweredIn,
  describeUnable,
  relativeTo,
} from "@idewire/core/internal";
import { ToolFailure } from "@idewire/core/rpc";
import type { IdeListener } from "@idewire/node-server";
import { deliveryOf, platform } from "@idewire/node-server/internal";
import { joinPath } from "@idewire/node-server/internal/files";
import { commentOnChange } from "@idewire/paired-comments/internal";
import type { FolderHost } from "../folder-host/index.ts";
import { openCommentStore } from "./open-store.ts";

/** What became of a person's comments on a change. */
export interface SentComments {
  /** All of them as one message, for the clipboard. */
  readonly message: string;
  /** The file of comments that was mentioned to the agents, relative to the folder. */
  readonly mentioned?: string;
  /** Why no agent received the mention, or why they were not stored. */
  readonly problem?: string;
}

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
 * Sends comments: stored first, since the agent reads them once its proposal is rejected; without them it stays
 * pending. An agent that accepts text with a rejection gets them with it.
 * @throws ToolFailure when the text is no longer stored
 */
export async function sendComments(
  id: string,
  comments: readonly ChangeComment[],
  { host, agents, author, by }: CommentedFolder,
): Promise<SentComments> {
  const { list } = host.changes;
  const change = list.get(id);
  const { undecided, after } = list.textsOf(id) ?? {};
  const text = undecided?.written ?? after;
  if (change === undefined || text === undefined)
    throw new ToolFailure("the text of this change is no longer stored");
  const { path, state } = change;
  const message = composeComments(path, text, comments);
  try {
    const file = joinPath(host.folder, path);
    const current = await host.read(file);
    const store = await openCommentStore(toNativePath(host.folder, platform));
    await commentOnChange(store, { path, text, current, author: await author() }, comments);
    if (state === "waiting") host.answerDiff(id, { kind: "rejected", comments: message }, by);
    const mentioned = `${file}.comments` as PosixPath;
    await host.mention({ path: mentioned });
    const delivery = agents && deliveryOf({ path: mentioned }, agents);
    const problem = delivery && describeUnable(delivery);
    const name = relativeTo(host.folder, mentioned);
    return { message, mentioned: name, ...(problem !== undefined && { problem }) };
  } catch (error) {
    return { message, problem: (error as Error).message };
  }
}
