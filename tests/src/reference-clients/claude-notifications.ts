import { relative } from "node:path";
import type { JsonObject } from "./wire.ts";
import { isObject } from "./wire.ts";

/** The client's context from the editor until its next prompt. */
export interface EditorContext {
  readonly filePath: string | undefined;
  readonly text: string;
  readonly startLine: number;
  readonly lineCount: number;
}

export interface Mention {
  readonly filePath: string;
  readonly lineStart: number | undefined;
  readonly lineEnd: number | undefined;
}

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: "null" | "schema"; readonly detail: string };

type Bad = Extract<Checked<never>, { ok: false }>;

function bad(reason: "null" | "schema", detail: string): Bad {
  return { ok: false, reason, detail };
}

/** A key may be absent or of its type; `null` is a common error of editors, so it has its own reason. */
function checkKeys(params: JsonObject, keys: Readonly<Record<string, "string" | "number">>) {
  for (const [key, type] of Object.entries(keys)) {
    const value = params[key];
    if (value === null) return bad("null", `${key} is null`);
    const absent = value === undefined;
    if (!absent && (typeof value !== type || Number.isNaN(value))) {
      return bad("schema", `${key} is ${JSON.stringify(value)}, expected a ${type}`);
    }
  }
  return undefined;
}

interface Selection {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

function isPosition(value: unknown): boolean {
  return (
    isObject(value) && typeof value["line"] === "number" && typeof value["character"] === "number"
  );
}

function isSelection(value: unknown): value is Selection {
  return isObject(value) && isPosition(value["start"]) && isPosition(value["end"]);
}

export type SelectionNews =
  | { readonly kind: "nothing" }
  | { readonly kind: "clear" }
  | { readonly kind: "set"; readonly context: EditorContext };

export function readSelection(params: unknown): Checked<SelectionNews> {
  if (!isObject(params)) return bad("schema", "params is no object");
  const fault = checkKeys(params, { text: "string", filePath: "string" });
  if (fault) return fault;
  const { selection, text, filePath } = params;
  if (selection === undefined || selection === null) {
    return { ok: true, value: { kind: "nothing" } };
  }
  if (!isSelection(selection)) {
    return bad("schema", `selection is ${JSON.stringify(selection)}`);
  }
  const { start, end } = selection;
  const path = typeof filePath === "string" ? filePath : undefined;
  const words = typeof text === "string" ? text : "";
  const empty = start.line === end.line && start.character === end.character;
  if (empty && path === undefined && words === "") return { ok: true, value: { kind: "clear" } };
  const lineCount = end.line - start.line + (end.character === 0 ? 0 : 1);
  return {
    ok: true,
    value: {
      kind: "set",
      context: { filePath: path, text: words, startLine: start.line, lineCount },
    },
  };
}

export function readMention(params: unknown): Checked<Mention> {
  if (!isObject(params)) return bad("schema", "params is no object");
  const fault = checkKeys(params, { filePath: "string", lineStart: "number", lineEnd: "number" });
  if (fault) return fault;
  const { filePath, lineStart, lineEnd } = params;
  if (typeof filePath !== "string") return bad("schema", "filePath is missing");
  return {
    ok: true,
    value: {
      filePath,
      lineStart: typeof lineStart === "number" ? lineStart : undefined,
      lineEnd: typeof lineEnd === "number" ? lineEnd : undefined,
    },
  };
}

/** The line under the prompt: `⧉ 2 lines selected` or `⧉ In a.txt`. */
export function contextBadge(context: EditorContext): string | undefined {
  if (context.text !== "" && context.lineCount > 0) {
    return `⧉ ${context.lineCount} ${context.lineCount === 1 ? "line" : "lines"} selected`;
  }
  const { filePath } = context;
  return filePath === undefined ? undefined : `⧉ In ${filePath.split(/[\\/]/).at(-1)}`;
}

/** The context for the model; `offset` is 1 in the newest version, 0 in older ones. */
export function contextForModel(context: EditorContext, offset: 0 | 1): string | undefined {
  const { filePath, text, startLine, lineCount } = context;
  if (text !== "") {
    const first = startLine + offset;
    const last = startLine + lineCount - 1 + offset;
    return `The user selected the lines ${first} to ${last} from ${filePath}:\n${text.slice(0, 2000)}`;
  }
  if (filePath === undefined) return undefined;
  return `The user opened the file ${filePath} in the IDE`;
}

/** The text that a mention types into the prompt. */
export function mentionText(mention: Mention, cwd: string): string {
  const { filePath, lineStart, lineEnd } = mention;
  const path = relative(cwd, filePath);
  if (lineStart === undefined || lineEnd === undefined) return `@${path} `;
  const lines = lineStart === lineEnd ? `#L${lineStart + 1}` : `#L${lineStart + 1}-${lineEnd + 1}`;
  return `@${path}${lines} `;
}
