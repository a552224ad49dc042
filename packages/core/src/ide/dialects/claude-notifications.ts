import type { Implementation } from "../../mcp/protocol.ts";
import { toNativePath } from "../../paths/posix-path.ts";
import type { Params } from "../../rpc/message.ts";
import type { Audience, WireNotification } from "../dialect.ts";
import type { Mention, SelectionSnapshot } from "../editor-host.ts";
import type { IdeSession } from "../session/ide-session.ts";
import { CURSOR_AT_START, primaryOf } from "./answers.ts";

/** Takes two of Claude Code's notifications (docs/clients/opencode.md, Notifications). */
const OPENCODE = "opencode";
const CLAUDE = "claude";

export function clientKindOf(client: Implementation): string {
  return client.name === OPENCODE ? OPENCODE : CLAUDE;
}

/** Whether an agent never shows what it is about to write: opencode has no diff. */
export function hasNoDiff(agent: Implementation | undefined): boolean {
  return agent?.name === OPENCODE;
}

/** opencode drops a mention without lines. */
export function mentionsNeedLines(clientKind: string): boolean {
  return clientKind === OPENCODE;
}

/**
 * A key that has no value is left out: a null makes the whole notification void. Nothing selected is
 * said by an empty range and no path, which is what clears.
 */
export function encodeSelection(
  snapshot: SelectionSnapshot | undefined,
  { platform, clientKind }: Audience,
): WireNotification {
  const method = "selection_changed";
  if (snapshot === undefined) {
    // opencode drops what has no path; an empty one takes the old path from its context.
    const filePath = clientKind === OPENCODE ? { filePath: "" } : undefined;
    return { method, params: { selection: CURSOR_AT_START, text: "", ...filePath } };
  }
  const filePath = toNativePath(snapshot.path, platform);
  if (clientKind !== OPENCODE || snapshot.ranges === undefined || snapshot.ranges.length < 2) {
    const { selection, text } = primaryOf(snapshot);
    return { method, params: { selection, text, filePath } };
  }
  const ranges = snapshot.ranges.map((range) => ({
    text: range.text,
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

/** The agent tells its process once it is connected; seed 002 adds a flag that changes nothing. */
export function receiveIdeConnected(
  session: IdeSession,
  method: string,
  params: Params | undefined,
): void {
  const pid = params?.["pid"];
  if (method === "ide_connected" && typeof pid === "number") session.identify({ pid });
}
