import type { PosixPath } from "@idewire/core";
import { composeComments, describeUnable } from "@idewire/core/internal";
import { ToolFailure } from "@idewire/core/rpc";
import type { PageHandlers, PageMethods } from "@idewire/devtools/internal";
import { deliveryOf } from "@idewire/node-server/internal";
import type { FolderHost } from "../folder-host/index.ts";
import type { FolderLog } from "./folder-log.ts";

type Comment = PageMethods["changes/comment"];

/** The folder whose changes a page shows. */
export interface FolderOfChanges {
  readonly host: FolderHost;
  readonly log: FolderLog;
  /** Reads the author of comments. */
  readonly author: () => Promise<string>;
}

/** The handlers of a page that concern what agents have proposed and written. */
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
    "changes/comment": (sent) => sendComments(sent, folder),
  };
}

/** Stored first: the agent reads them once its proposal is rejected; without them it stays on the screen. */
async function sendComments(
  { id, comments }: Comment["params"],
  { host, log, author }: FolderOfChanges,
): Promise<Comment["result"]> {
  const { list } = host.changes;
  const change = list.get(id);
  const { undecided, after } = list.textsOf(id) ?? {};
  const text = undecided?.written ?? after;
  if (change === undefined || text === undefined)
    throw new ToolFailure("the text of this change is no longer stored");
  const { path, state } = change;
  const message = composeComments(path, text, comments);
  let result: Comment["result"] = { message };
  try {
    const { commentOnChange } = await import("../comments/comment-on-change.ts");
    const file = await commentOnChange(host, { path, text, author: await author() }, comments);
    if (state === "waiting") host.answerDiff(id, { kind: "rejected" }, "page");
    result = { message, ...(await mention(file, { host, log })) };
  } catch (error) {
    result = { message, problem: (error as Error).message };
  }
  return result;
}

async function mention(
  path: PosixPath,
  { host, log }: Pick<FolderOfChanges, "host" | "log">,
): Promise<Omit<Comment["result"], "message">> {
  await host.mention({ path });
  const delivery = log.listener && deliveryOf({ path }, log.listener);
  const problem = delivery && describeUnable(delivery);
  return { mentioned: log.nameOf(path), ...(problem !== undefined && { problem }) };
}
