import { ToolFailure } from "@idewire/core/rpc";
import type { PageHandlers } from "@idewire/devtools/internal";
import type { FolderHost } from "../folder-host/index.ts";
import type { FolderLog } from "./folder-log.ts";

/** The folder whose changes a page shows. */
export interface FolderOfChanges {
  readonly host: FolderHost;
  readonly log: FolderLog;
  /** Reads the author of comments. */
  readonly author: () => Promise<string>;
}

/** The handlers of a page for the proposals and edits of agents. */
export function changeHandlers(
  folder: FolderOfChanges,
): PageHandlers<"changes/read" | "changes/decide" | "changes/comment" | "changes/undo-turn"> {
  const { changes } = folder.host;
  return {
    "changes/read"({ id }) {
      const texts = changes.list.textsOf(id);
      const version = changes.list.get(id)?.version;
      if (texts === undefined || version === undefined)
        throw new ToolFailure("the texts of this change are no longer stored");
      const { before, after, undecided } = texts;
      return {
        version,
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
        ...(undecided !== undefined && { undecided }),
      };
    },
    "changes/decide": (decision) => changes.decide(decision),
    "changes/undo-turn": ({ id }) => changes.undoTurn(id),
    async "changes/comment"({ id, comments }) {
      const { sendFolderComments } = await import("../comments/send-folder-comments.ts");
      const { host, log, author } = folder;
      return sendFolderComments(id, comments, { host, author, agents: log.listener, by: "page" });
    },
  };
}
