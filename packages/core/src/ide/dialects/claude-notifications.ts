import type { Implementation } from "../../mcp/protocol.ts";
import { toNativePath } from "../../paths/posix-path.ts";
import type { Params } from "../../rpc/message.ts";
import type { Range } from "../../text/position.ts";
import type { Audience, WireNotification } from "../dialect.ts";
import type { Mention, SelectionSnapshot } from "../editor-host.ts";
import type { IdeSession } from "../session/ide-session.ts";
import { CURSOR_AT_START, primaryOf } from "./shared-answers.ts";

/** Supports two of Claude Code's notifications (docs/clients/opencode.md, Notifications). */
const OPENCODE = "opencode";
const CLAUDE = "claude";
/** Claude Code shows its model 2,000 characters: half of them stay for the selected text. */
const MAX_COMMENTS = 1_000;

export function clientKindOf(client: Implementation): string {
  return client.name === OPENCODE ? OPENCODE : CLAUDE;
}

/** Whether an agent writes files without ever calling `openDiff`, as opencode does. */
export function hasNoDiff(agent: Implementation | undefined): boolean {
  return agent?.name === OPENCODE;
}

/** Whether an agent has modes in some of which it writes files without a diff, as Claude Code has. */
export function hasModes(agent: Implementation | undefined): boolean {
  return agent?.name === "claude-code";
}

/** Whether an agent that reconnects requests no diagnostics any more (docs/clients/claude-code.md, Reconnecting). */
export function losesDiagnostics(agent: Implementation | undefined): boolean {
  return agent?.name === "claude-code";
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
  const count = (range: Range) => countedBy(range, clientKind);
  if (clientKind !== OPENCODE || snapshot.ranges === undefined || snapshot.ranges.length < 2) {
    const { selection, text } = primaryOf(snapshot);
    const params = { selection: count(selection), text: withComments(text, snapshot), filePath };
    return { method, params };
  }
  const ranges = snapshot.ranges.map((range, index) => ({
    text: index === 0 ? withComments(range.text, snapshot) : range.text,
    selection: count(range),
  }));
  return { method, params: { filePath, ranges } };
}

/** opencode passes the numbers of lines on to its model, and to its reader of files, as counted from 1. */
function firstLineOf(clientKind: string): number {
  return clientKind === OPENCODE ? 1 : 0;
}

function countedBy({ start, end }: Range, clientKind: string): Range {
  const first = firstLineOf(clientKind);
  return {
    start: { ...start, line: start.line + first },
    end: { ...end, line: end.line + first },
  };
}

/**
 * The selected text, preceded by the comments on its lines: the only part of a selection that a model is shown
 * (docs/clients/claude-code.md, Notifications). Without a text nothing is selected.
 */
function withComments(text: string, { comments }: SelectionSnapshot): string {
  if (text === "" || !comments?.length) return text;
  const all = comments.map(
    (each) =>
      `line ${each.lines.start + 1}, ${each.tag} by ${each.author} (${each.id}): ${each.text}`,
  );
  return `[Comments on these lines, not part of the file:\n${all.join("\n").slice(0, MAX_COMMENTS)}]\n${text}`;
}

export function encodeMention(
  { path, lines }: Mention,
  { platform, clientKind }: Audience,
): WireNotification {
  const first = firstLineOf(clientKind);
  const { start = 0, end = 0 } = lines ?? {};
  return {
    method: "at_mentioned",
    params: {
      filePath: toNativePath(path, platform),
      ...(lines !== undefined && { lineStart: start + first, lineEnd: end + first }),
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
