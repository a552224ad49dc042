import { ToolFailure } from "../../../errors.ts";
import { comparisonKey, type PosixPath } from "../../../paths/posix-path.ts";
import { describePath } from "../../../text/describe-value.ts";
import type { OpenDocument } from "../../editor-host.ts";
import type { IdeToolContext } from "../../ide-tool.ts";
import type { IdeSession } from "../../session/ide-session.ts";
import { mayShare } from "../../share-policy.ts";
import { readAgentPath } from "./agent-path.ts";

/** The documents that each session has opened, as keys for comparison. */
const opened = new WeakMap<IdeSession, Set<string>>();

/** The session has opened a document, which is shared with it from now on at every share level. */
export function rememberOpened(path: PosixPath, { session, platform }: IdeToolContext): void {
  const paths = opened.get(session) ?? new Set();
  opened.set(session, paths.add(comparisonKey(path, platform)));
}

/**
 * The open documents that are shared with the session; below the share level `all` those that it has opened
 * itself. Excluded ones are not among them.
 */
export function sharedDocuments({
  host,
  session,
  platform,
}: IdeToolContext): readonly OpenDocument[] {
  const paths = opened.get(session);
  return host
    .documents()
    .filter(({ path }) =>
      mayShare(session.share, paths?.has(comparisonKey(path, platform)) ? "off" : "all", path),
    );
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
  if (document === undefined) throw new ToolFailure(`Document not open: ${describePath(text)}`);
  return document;
}
