import { ToolFailure } from "../../../errors.ts";
import { comparisonKey } from "../../../paths/posix-path.ts";
import type { OpenDocument } from "../../editor-host.ts";
import type { IdeToolContext } from "../../ide-tool.ts";
import { mayShare } from "../../share-policy.ts";
import { readAgentPath } from "./agent-path.ts";

/** The open documents that the session may know; none below the share level `all`. */
export function sharedDocuments({ host, session }: IdeToolContext): readonly OpenDocument[] {
  return host.documents().filter(({ path }) => mayShare(session.share, "all", path));
}

/**
 * The open document with a path from an agent.
 * @throws ToolFailure when it is not open or not shared
 */
export function demandDocument(
  argument: string,
  text: string,
  context: IdeToolContext,
): OpenDocument {
  const { platform } = context;
  const key = comparisonKey(readAgentPath(argument, text, platform), platform);
  const document = sharedDocuments(context).find(
    ({ path }) => comparisonKey(path, platform) === key,
  );
  if (document === undefined) throw new ToolFailure(`Document not open: ${text}`);
  return document;
}
