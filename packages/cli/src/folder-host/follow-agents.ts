import { type DiffRequest, toNativePath } from "@idewire/core";
import { agentTitle, relativeTo } from "@idewire/core/internal";
import type { IdeListener } from "@idewire/node-server";
import { isOurs, platform } from "@idewire/node-server/internal";
import type { FolderHost, PendingDiff } from "./folder-host.ts";

/** Lists the proposals and edits of a folder's agents, until the listener closes. */
export function followAgents(host: FolderHost, listener: IdeListener): void {
  const { changes } = host;
  const agentOf = (id: string) =>
    agentTitle([...listener.sessions].find((session) => session.id === id)?.agent);
  const propose = ({ request, current }: PendingDiff) =>
    changes.list.proposed({
      ...{ id: request.id, path: nameOf(request, host), session: request.session },
      ...{ agent: agentOf(request.session), before: current, after: request.proposed },
    });
  host.onDiff("diffOpened", propose);
  host.onDiff("diffChanged", propose);
  host.onDiff("diffClosed", ({ request: { id } }, outcome, by) =>
    changes.list.ended(id, outcome, by),
  );
  listener.on("initialized", ({ agent }) => {
    if (!isOurs(agent)) void changes.rememberAll();
  });
  listener.on("written", (session, write) => {
    changes.attribute({
      ...write,
      agent: agentTitle(session?.agent),
      ...(session !== undefined && { session: session.id }),
    });
  });
}

function nameOf({ path, outsideWorkspace }: DiffRequest, { folder }: FolderHost): string {
  return outsideWorkspace ? toNativePath(path, platform) : relativeTo(folder, path);
}
