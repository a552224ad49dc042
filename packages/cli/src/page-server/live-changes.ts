import { ToolFailure } from "@idewire/core/rpc";
import type { PageHandlers } from "@idewire/devtools/internal";
import type { FolderHost } from "../folder-host/index.ts";

/** The handlers of a page that concern what agents have proposed and written. */
export function changeHandlers({
  changes,
}: FolderHost): PageHandlers<"changes/read" | "changes/decide" | "changes/undo-turn"> {
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
  };
}
