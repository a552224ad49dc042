import type { DiffRequest } from "../../editor-host.ts";
import type { IdeToolContext } from "../../ide-tool.ts";
import { isInWorkspace } from "./agent-path.ts";

let lastId = 0;

/** A diff with a new id. */
export function createDiffRequest(
  { host, session, platform }: IdeToolContext,
  proposal: Pick<DiffRequest, "path" | "oldPath" | "proposed" | "title">,
): DiffRequest {
  lastId += 1;
  return {
    id: `d${lastId}`,
    session: session.id,
    ...proposal,
    outsideWorkspace: !isInWorkspace(host, proposal.path, platform),
  };
}
