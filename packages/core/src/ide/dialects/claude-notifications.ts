import type { Implementation } from "../../mcp/protocol.ts";
import { toNativePath } from "../../paths/posix-path.ts";
import type { Params } from "../../rpc/message.ts";
import type { Audience, WireNotification } from "../dialect.ts";
import type { Mention, SelectionSnapshot } from "../editor-host.ts";
import type { IdeSession } from "../session/ide-session.ts";
import { commentsText } from "./comments-text.ts";
import { CURSOR_AT_START, primaryOf } from "./shared-answers.ts";

/** Supports two of Claude Code's notifications (docs/clients/opencode.md, Notifications). */
const OPENCODE = "opencode";
const CLAUDE = "claude";

export function clientKindOf(client: Implementation): string {
  return client.name === OPENCODE ? OPENCODE : CLAUDE;
}

/** Whether an agent writes files without ever calling `openDiff`, as opencode does. */
export function hasNoDiff(agent: Implementation | undefined): boolean {
  return agent?.name === OPENCODE;
}

/** opencode ignores a mention without lines. */
export function mentionsNeedLines(clientKind: string): boolean {
  return clientKind === OPENCODE;
}

/**
 * Unknown members are left out, since one that is null voids the whole notification. An empty range
 * without a path clears the selection (docs/clients/claude-code.md, Notifications).
 */
export function encodeSelection(
  snapshot: SelectionSnapshot | undefined,
  { platform, clientKind }: Audience,
): WireNotification {
  const method = "selection_changed";
  if (snapshot === undefined) {
    // opencode ignores a notification without a path; an empty one clears its context.
    const filePath = clientKind === OPENCODE ? { filePath: "" } : undefined;
    return { method, params: { selection: CURSOR_AT_START, text: "", ...filePath } };
  }
  const filePath = toNativePath(snapshot.path, platform);
  const { comments = [] } = snapshot;
  // Without a text nothing is selected: then the agent says that the file is open.
  const told = (text: string, isFirst: boolean) =>
    isFirst && text !== "" && comments.length > 0 ? commentsText(comments) + text : text;
  if (clientKind !== OPENCODE || snapshot.ranges === undefined || snapshot.ranges.length < 2) {
    const { selection, text } = primaryOf(snapshot);
    return { method, params: { selection, text: told(text, true), filePath } };
  }
  const ranges = snapshot.ranges.map((range, index) => ({
    text: told(range.text, index === 0),
    selection: { start: range.start, end: range.end },
  }));
  return { method, params: { filePath, ranges } };
}

export function encodeMention({ path, lines }: Mention, { platform }: Audience): WireNotification {
  return {
    method: "at_mentioned",
    params: {
      filePath: toNativePath(path, platform),
      ...(lines !== undefined && { lineStart: lines.start, lineEnd: lines.end }),
    },
  };
}

/**
 * The agent sends its process id once it is connected; the flag that seed 002 adds has no effect.
 */
export function receiveIdeConnected(
  session: IdeSession,
  method: string,
  params: Params | undefined,
): void {
  const pid = params?.["pid"];
  if (method === "ide_connected" && typeof pid === "number") session.identify({ pid });
}
