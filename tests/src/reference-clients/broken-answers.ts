import { pathToFileURL } from "node:url";
import type { JsonObject, WireMessage } from "./wire.ts";
import { toObject } from "./wire.ts";

/** A rule of the reference, broken on purpose. */
export type Flaw =
  | "no-subprotocol"
  | "refuses-401"
  | "closes-1008"
  | "unknown-revision"
  | "initialize-error"
  | "jetbrains-name"
  | "speaks-too-early"
  | "asks-before-initialize-reply"
  | "never-resends"
  | "null-keys"
  | "encoded-uri"
  | "foreign-uri"
  | "no-range"
  | "diagnostics-no-array"
  | "late-baseline"
  | "late-diagnostics"
  | "tab-closed"
  | "saved-without-text"
  | "diff-error"
  | "diff-is-error"
  | "unknown-diff-word"
  | "never-settles"
  | "no-own-tools"
  | "tool-without-schema"
  | "unknown-id"
  | "second-answer"
  | "binary-answer"
  | "result-and-error"
  | "too-big";

export interface Diagnostic {
  readonly message: string;
  readonly severity: string;
  readonly range?: object;
  readonly source?: string;
  readonly code?: string | number;
}

export function textResult(...texts: string[]): JsonObject {
  return { content: texts.map((text) => ({ type: "text", text })) };
}

export function initializeResult(
  frame: WireMessage,
  flaw: Flaw | undefined,
  capabilities: object,
  revision?: string,
): JsonObject {
  const { protocolVersion } = toObject(frame.params);
  return {
    protocolVersion: flaw === "unknown-revision" ? "1999-01-01" : (revision ?? protocolVersion),
    capabilities,
    serverInfo: {
      name: flaw === "jetbrains-name" ? "Claude Code JetBrains Plugin" : "Raw editor",
      version: "1.0.0",
    },
    instructions: "You are wired to a raw editor.",
  };
}

const toolNames = [
  "openDiff",
  "close_tab",
  "closeAllDiffTabs",
  "getDiagnostics",
  "executeCode",
  "openFile",
];

export function toolList(flaw: Flaw | undefined): JsonObject {
  const inputSchema = { type: "object" };
  const tools = toolNames.map((name) => ({ name, inputSchema }));
  return { tools: flaw === "tool-without-schema" ? [...tools, { name: "bare" }] : tools };
}

/** The answer to getDiagnostics: for a file by its raw uri, or for all. */
export function diagnosticsResult(
  flaw: Flaw | undefined,
  files: ReadonlyMap<string, readonly Diagnostic[]>,
  uri: unknown,
): JsonObject {
  if (flaw === "diagnostics-no-array") return textResult("{}");
  const wanted = [...files].filter(([path]) => uri === undefined || uri === `file://${path}`);
  const entries = wanted.map(([path, diagnostics]) => ({
    uri: uriOf(flaw, path),
    diagnostics: diagnostics.map((item) => {
      const { range, ...rest } = item;
      return flaw === "no-range" ? rest : { range: range ?? lineRange(1), ...rest };
    }),
  }));
  return textResult(JSON.stringify(entries));
}

function uriOf(flaw: Flaw | undefined, path: string): string {
  if (flaw === "encoded-uri") return pathToFileURL(path).href;
  return flaw === "foreign-uri" ? `untitled:${path}` : `file://${path}`;
}

export function lineRange(line: number): JsonObject {
  return { start: { line, character: 4 }, end: { line, character: 9 } };
}

/** The answer for the person's decision in the editor, or the flawed one. */
export function diffReply(
  flaw: Flaw | undefined,
  decision:
    | { readonly kind: "accept"; readonly text: string }
    | { readonly kind: "reject" | "close" },
): JsonObject {
  if (flaw === "diff-error") return { error: { code: -32603, message: "no diff here" } };
  if (flaw === "diff-is-error") return { result: { ...textResult("no diff here"), isError: true } };
  if (flaw === "unknown-diff-word") return { result: textResult("MAYBE") };
  if (decision.kind === "accept") {
    const words = flaw === "saved-without-text" ? ["FILE_SAVED"] : ["FILE_SAVED", decision.text];
    return { result: textResult(...words) };
  }
  if (decision.kind === "close" && flaw === "tab-closed")
    return { result: textResult("TAB_CLOSED") };
  return { result: textResult("DIFF_REJECTED", "ignored by the client") };
}
