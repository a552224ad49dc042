import { geminiDiscovery, qwenDiscovery } from "../../discovery/gemini-discovery.ts";
import { type CallToolResult, textResult } from "../../mcp/content.ts";
import { type Platform, toNativePath } from "../../paths/posix-path.ts";
import { formatNotification } from "../../rpc/message.ts";
import { cutText } from "../../text/well-formed.ts";
import type { Audience, Dialect, WireNotification } from "../dialect.ts";
import type { DiffOutcome, EditorHost, SelectionSnapshot } from "../editor-host.ts";
import { type BoundTool, toolBinder } from "../ide-tool.ts";
import type { IdeSession } from "../session/ide-session.ts";
import type { SharedState } from "../share-policy.ts";
import { closeDiff } from "../tools/close-diff.ts";
import { proposeDiff } from "../tools/propose-diff.ts";
import { isFile, jsonResult } from "./shared-answers.ts";

/** How many files the agents keep (docs/clients/gemini-cli.md, Context). */
const MAX_FILES = 10;
/** How much selected text they show their model. */
const MAX_SELECTED = 16_384;
/** Their settings remember it. */
const ENABLE = { command: "/ide enable", often: "once" } as const;

/**
 * Gemini CLI 0.61.0 as measured (docs/clients/gemini-cli.md). It sets its handlers before it lists the
 * tools, so that a state after that is received; any frame that it cannot parse ends its connection for good.
 */
export const gemini: Dialect = {
  id: "gemini",
  endpoint: { kind: "http", discovery: geminiDiscovery },
  agent: {
    ...{ name: "gemini-cli", title: "Gemini CLI", start: "gemini", enable: ENABLE },
    containerHost: "host.docker.internal",
  },
  argumentErrors: "tool-result",
  readyDelayMs: 50,
  createTools,
  clientKindOf: () => "",
  follows: ["selection", "documents", "workspace"],
  stateIntervalMs: 50,
  encodeState,
  receive: () => undefined,
};

/** Qwen Code 0.24.4, a fork that looks elsewhere (docs/clients/qwen-code.md). */
export const qwen: Dialect = createQwen();

/** A call, since a bundler keeps a spread at the top level even in a program that does not use it. */
function createQwen(): Dialect {
  return {
    ...gemini,
    id: "qwen",
    endpoint: { kind: "http", discovery: qwenDiscovery },
    // Without the option it does not ask before it writes, and opens no diffs.
    agent: {
      ...{ name: "qwen-code", title: "Qwen Code", enable: ENABLE },
      start: "qwen --approval-mode default",
    },
  };
}

/** Diffs are off unless both are listed. */
function createTools(host: EditorHost, platform: Platform): readonly BoundTool[] {
  const bind = toolBinder(host, platform);
  return [
    bind(proposeDiff(sendOutcome), "openDiff", () => textResult()),
    bind(closeDiff, "closeDiff", (text): CallToolResult => jsonResult({ content: text ?? null })),
  ];
}

/**
 * The outcome of a diff is a separate state, so that it waits for a disconnected agent. A diff that was answered
 * elsewhere is not reported, and the question in the terminal remains after the editor has ended.
 */
function sendOutcome(session: IdeSession, filePath: string, outcome: DiffOutcome): void {
  if (outcome.kind === "cancelled") return;
  const [method, params] =
    outcome.kind === "accepted"
      ? ["ide/diffAccepted", { filePath, content: outcome.text }]
      : ["ide/diffRejected", { filePath }];
  session.connection.sendState(`diff ${filePath}`, formatNotification(method, params));
}

/** The whole state each time, the newest file first; only that may be active and have a cursor. */
function encodeState(
  { selection, documents, trusted }: SharedState,
  { platform }: Audience,
): WireNotification {
  const others = documents
    .filter(({ path, untitled }) => !untitled && path !== selection?.path)
    .sort((left, right) => right.lastFocusedMs - left.lastFocusedMs)
    .map(({ path, lastFocusedMs, active }) => ({
      path: toNativePath(path, platform),
      timestamp: lastFocusedMs,
      ...(active && selection === undefined && { isActive: true }),
    }));
  const newest = Math.max(0, ...documents.map(({ lastFocusedMs }) => lastFocusedMs));
  const active = selection === undefined ? [] : encodeActive(selection, newest, platform);
  const openFiles = [...active, ...others].slice(0, MAX_FILES);
  return {
    method: "ide/contextUpdate",
    params: { workspaceState: { openFiles, isTrusted: trusted } },
  };
}

function encodeActive(
  { path, ranges, primary }: SelectionSnapshot,
  timestamp: number,
  platform: Platform,
) {
  if (!isFile(path)) return [];
  const range = ranges?.[primary];
  const file = { path: toNativePath(path, platform), timestamp, isActive: true };
  if (range === undefined) return [file];
  const cursor = { line: range.end.line + 1, character: range.end.character + 1 };
  const selectedText = cutText(range.text, MAX_SELECTED);
  return [{ ...file, cursor, ...(selectedText !== "" && { selectedText }) }];
}
