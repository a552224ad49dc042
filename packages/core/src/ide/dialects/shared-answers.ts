import { type CallToolResult, textResult } from "../../mcp/content.ts";
import type { PosixPath } from "../../paths/posix-path.ts";
import type { Range } from "../../text/position.ts";
import type { DiffOutcome, SelectionSnapshot } from "../editor-host.ts";

/** Sent when nothing is selected, or only the path is shared. */
export const CURSOR_AT_START: Range = {
  start: { line: 0, character: 0 },
  end: { line: 0, character: 0 },
};

/** A result with one text item: the value as JSON. */
export function jsonResult(value: unknown): CallToolResult {
  return textResult(JSON.stringify(value));
}

/** The primary range of a selection, for agents that support only one. */
export function primaryOf({ ranges, primary }: SelectionSnapshot): {
  readonly selection: Range;
  readonly text: string;
} {
  const { start, end, text } = ranges?.[primary] ?? { ...CURSOR_AT_START, text: "" };
  return { selection: { start, end }, text };
}

/**
 * Anything but an acceptance is encoded as a rejection: `TAB_CLOSED` would accept the proposal. Comments are a
 * second text, which Claude Code ignores (docs/clients/claude-code.md, Diffs).
 */
export function encodeDiffOutcome(outcome: DiffOutcome): CallToolResult {
  if (outcome.kind === "accepted") return textResult("FILE_SAVED", outcome.text);
  const comments = outcome.kind === "rejected" ? outcome.comments : undefined;
  return textResult("DIFF_REJECTED", ...(comments === undefined ? [] : [comments]));
}

/** A web page that the editor shows has an address in place of a path. */
export function isFile(path: PosixPath): boolean {
  return path.startsWith("/");
}
