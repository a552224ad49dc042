import { toNativePath } from "@idewire/core";
import { platform } from "@idewire/node-server/internal";
import { authorIn, type Environment } from "@idewire/node-server/internal/files";
import type { FolderHost } from "../folder-host/index.ts";
import type { CommentedFolder, SendComments } from "./send-folder-comments.ts";

/** The folder whose changes are commented on in a terminal. */
export interface SendingTerminal {
  readonly host: FolderHost;
  /** Undefined before agents can find the folder. */
  readonly agents: () => CommentedFolder["agents"];
  readonly env: Environment;
}

/** Sends the comments of a terminal; their store is loaded with the first ones. */
export function commentSender({ host, agents, env }: SendingTerminal): SendComments {
  return async (id, comments) => {
    const { sendFolderComments } = await import("./send-folder-comments.ts");
    const author = () => authorIn(toNativePath(host.folder, platform), env);
    return sendFolderComments(id, comments, { host, agents: agents(), author, by: "terminal" });
  };
}
