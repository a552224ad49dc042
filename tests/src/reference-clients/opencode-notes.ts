import type { JsonObject } from "./wire.ts";
import { isObject, toObject } from "./wire.ts";

export interface OpencodeRange {
  readonly text: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly empty: boolean;
}

export interface OpencodeContext {
  readonly filePath: string;
  readonly ranges: readonly OpencodeRange[];
}

export interface OpencodeMention {
  readonly filePath: string;
  readonly lineStart: number;
  readonly lineEnd: number;
}

/** Requires a path, a text and a selection; or a path and ranges with text and selection. */
export function readOpencodeSelection(params: unknown): OpencodeContext | undefined {
  const { filePath, ranges, ...single } = toObject(params);
  if (typeof filePath !== "string") return undefined;
  const list: readonly unknown[] = Array.isArray(ranges) ? ranges : [single];
  const read = list.map((item) => readRange(toObject(item)));
  const valid = read.filter((range) => range !== undefined);
  return valid.length === list.length && valid.length > 0 ? { filePath, ranges: valid } : undefined;
}

function readRange({ text, selection }: JsonObject): OpencodeRange | undefined {
  if (typeof text !== "string" || !isObject(selection)) return undefined;
  const start = toObject(selection["start"]);
  const end = toObject(selection["end"]);
  const { line: startLine, character: startCharacter } = start;
  const { line: endLine, character: endCharacter } = end;
  if (typeof startLine !== "number" || typeof endLine !== "number") return undefined;
  const empty = startLine === endLine && startCharacter === endCharacter;
  return { text, startLine, endLine, empty };
}

export function readOpencodeMention(params: unknown): OpencodeMention | undefined {
  const { filePath, lineStart, lineEnd } = toObject(params);
  if (typeof filePath !== "string") return undefined;
  if (typeof lineStart !== "number" || typeof lineEnd !== "number") return undefined;
  return { filePath, lineStart, lineEnd };
}

/**
 * The part of a mention that its model receives: "#1-2" of a file of four lines was its first two lines, so it counts
 * from 1 (docs/clients/opencode.md, Notifications).
 */
export function readMentionedLines({ lineStart, lineEnd }: OpencodeMention, text: string): string {
  return text
    .split("\n")
    .slice(Math.max(lineStart, 1) - 1, lineEnd)
    .join("\n");
}

/** The context for the model: the line numbers of the wire, printed unchanged. */
export function opencodeNotes(context: OpencodeContext): string[] {
  const { filePath, ranges } = context;
  return ranges.map(({ startLine, endLine, text, empty }) => {
    const lines = startLine === endLine ? `#${startLine}` : `#${startLine}-${endLine}`;
    const note = empty
      ? `The user opened the file "${filePath}".`
      : `The user selected ${lines} from "${filePath}": ${text}`;
    return `<system-reminder>Note: ${note}</system-reminder>`;
  });
}
