import type { DiffOutcome, DiffRequest } from "../../editor-host.ts";
import type { IdeToolContext } from "../../ide-tool.ts";
import { createDiffRequest } from "./diff-request.ts";

/** Shows a diff, and waits for the person's answer. */
export async function askAboutDiff(
  context: IdeToolContext,
  proposal: Pick<DiffRequest, "path" | "oldPath" | "proposed" | "title">,
): Promise<DiffOutcome> {
  const { session, call } = context;
  const { path } = proposal;
  const request = createDiffRequest(context, proposal);
  session.writes?.proposed(session, path);
  const outcome = await session.diffs.open(request, call.signal);
  session.writes?.answered(session, path, outcome);
  return outcome;
}
