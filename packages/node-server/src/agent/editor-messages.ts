import type { Position, Range } from "@idewire/core";
import { answerLimits, describeValue, isObject, parseJson } from "@idewire/core/internal";
import { IdewireError, type Params, ToolFailure } from "@idewire/core/rpc";
import type { CallToolResult } from "@idewire/core/server";
import { type EditorPaths, samePaths } from "./editor-paths.ts";

/** The selection in the editor, as received. */
export interface EditorSelection {
  /** Native. */
  readonly filePath: string;
  /** Empty for a cursor, or if only the file is shared. */
  readonly text: string;
  /** 0-based, characters in UTF-16 units. */
  readonly selection: Range;
}

/** A file, or lines of it, that the person adds to the prompt. */
export interface EditorMention {
  /** Native. */
  readonly filePath: string;
  /** First and last line, 0-based; the whole file by default. */
  readonly lines?: { readonly start: number; readonly end: number };
}

/** The person's answer to a proposed diff. */
export type ProposedDiffAnswer =
  | { readonly kind: "accepted"; readonly text: string; readonly edited: boolean }
  | {
      readonly kind: "rejected";
      /** The person's comments on the proposal. */
      readonly comments?: string;
    };

/** One finding in a file. */
export interface EditorDiagnostic {
  readonly message: string;
  /** As the editor spells it, such as `Error`. */
  readonly severity: string;
  readonly range: Range;
  readonly source?: string;
  readonly code?: string | number;
}

/** The diagnostics of one file. */
export interface EditorDiagnostics {
  /** Native. */
  readonly filePath: string;
  readonly diagnostics: readonly EditorDiagnostic[];
}

/**
 * Reads `selection_changed`: a selection, an empty one, or undefined for a void notification
 * (docs/clients/claude-code.md, Notifications).
 */
export function parseSelection(
  params: Params | undefined,
  paths: EditorPaths = samePaths,
): { readonly selection: EditorSelection | undefined } | undefined {
  const { selection, text = "", filePath } = params ?? {};
  // Null, like any value of a wrong type, voids the whole notification.
  if (!isRange(selection) || typeof text !== "string") return undefined;
  // Copilot CLI is sent an empty one.
  if (filePath === undefined || filePath === "") return { selection: undefined };
  if (typeof filePath !== "string") return undefined;
  return { selection: { filePath: paths.fromEditor(filePath), text, selection } };
}

/** Reads `at_mentioned`; undefined when it cannot be understood. */
export function parseMention(
  params: Params | undefined,
  paths: EditorPaths = samePaths,
): EditorMention | undefined {
  const { filePath: named, lineStart, lineEnd } = params ?? {};
  if (typeof named !== "string") return undefined;
  const filePath = paths.fromEditor(named);
  if (typeof lineStart !== "number" || typeof lineEnd !== "number") return { filePath };
  return { filePath, lines: { start: lineStart, end: lineEnd } };
}

/**
 * Reads the answer to `openDiff` as Claude Code does: `TAB_CLOSED` accepts. The second text of a rejection is the
 * person's comments, but for editors that repeat the name of the tab there.
 * @throws IdewireError `protocol`
 */
export function readDiffAnswer(
  result: CallToolResult,
  { newText, tabName }: { readonly newText: string; readonly tabName: string },
): ProposedDiffAnswer {
  const [word, text] = textsOf(result);
  if (word === "DIFF_REJECTED") {
    const hasComments = text !== undefined && text !== tabName;
    return { kind: "rejected", ...(hasComments && { comments: text }) };
  }
  if (word === "TAB_CLOSED") return { kind: "accepted", text: newText, edited: false };
  if (word === "FILE_SAVED" && text !== undefined) {
    return { kind: "accepted", text, edited: text !== newText };
  }
  const seen = word === undefined ? "no text" : describeValue(word);
  throw new IdewireError("protocol", `The editor answered openDiff with ${seen}`);
}

/** The number of closed diffs in the answer to `closeAllDiffTabs`; undefined if it has none. */
export function readClosedCount(result: CallToolResult): number | undefined {
  const count = /^CLOSED_(\d+)_DIFF_TABS$/.exec(textsOf(result)[0] ?? "")?.[1];
  return count === undefined ? undefined : Number(count);
}

/**
 * Reads the answer to `getDiagnostics`. Invalid entries, and those without a range, are left out.
 * @throws IdewireError `protocol`
 */
export function readDiagnostics(
  result: CallToolResult,
  paths: EditorPaths = samePaths,
): readonly EditorDiagnostics[] {
  const [text = ""] = textsOf(result);
  let files: unknown;
  try {
    files = parseJson(text, answerLimits);
  } catch {
    files = undefined;
  }
  if (!Array.isArray(files)) {
    throw new IdewireError("protocol", "The editor answered getDiagnostics with no list");
  }
  return files.flatMap((file) => toFileDiagnostics(file, paths));
}

/** The texts of a result. @throws ToolFailure when the tool failed */
function textsOf({ content, isError }: CallToolResult): readonly string[] {
  const texts = content.flatMap((item) => (item.type === "text" ? [item.text] : []));
  if (isError === true) throw new ToolFailure(texts.join("\n"));
  return texts;
}

function toFileDiagnostics(file: unknown, paths: EditorPaths): readonly EditorDiagnostics[] {
  if (!isObject(file) || typeof file["uri"] !== "string") return [];
  const filePath = paths.fromUri(file["uri"]);
  if (filePath === undefined || !Array.isArray(file["diagnostics"])) return [];
  const diagnostics = file["diagnostics"].filter(isDiagnostic);
  return [{ filePath, diagnostics }];
}

function isDiagnostic(value: unknown): value is EditorDiagnostic {
  return (
    isObject(value) &&
    typeof value["message"] === "string" &&
    typeof value["severity"] === "string" &&
    isRange(value["range"])
  );
}

function isRange(value: unknown): value is Range {
  return isObject(value) && isPosition(value["start"]) && isPosition(value["end"]);
}

function isPosition(value: unknown): value is Position {
  return (
    isObject(value) && typeof value["line"] === "number" && typeof value["character"] === "number"
  );
}
