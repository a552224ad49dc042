import { claudeDiscovery } from "../../discovery/claude-discovery.ts";
import { textResult } from "../../mcp/content.ts";
import { toFileUri } from "../../paths/file-uri.ts";
import type { Platform } from "../../paths/posix-path.ts";
import { keepAlive } from "../../rpc/keep-alive.ts";
import type { Dialect, WireNotification } from "../dialect.ts";
import type { EditorHost, FileDiagnostics, Mention, SelectionSnapshot } from "../editor-host.ts";
import { type BoundTool, toolBinder } from "../ide-tool.ts";
import type { DialectContext } from "../session/ide-session.ts";
import { watchDiagnostics } from "../session/watch-diagnostics.ts";
import { closeTab } from "../tools/close-tab.ts";
import { getCurrentDiagnostics } from "../tools/get-current-diagnostics.ts";
import { listOpenDocuments } from "../tools/list-open-documents.ts";
import { openDiff } from "../tools/open-diff.ts";
import { openFile } from "../tools/open-file.ts";
import { openFiles } from "../tools/open-files.ts";
import { reformatFile } from "../tools/reformat-file.ts";
import { receiveIdeConnected } from "./claude-notifications.ts";
import { jetBrainsSeverity } from "./jetbrains-severity.ts";
import { CURSOR_AT_START, encodeDiffOutcome, jsonResult, primaryOf } from "./shared-answers.ts";

const PING_INTERVAL_MS = 5_000;
const PING_TIMEOUT_MS = 3_000;

/**
 * The Claude Code plugins exactly as seed 002 describes them: its texts, POSIX paths on Windows as
 * well, null for what is absent, and a JSON-RPC ping. The published command line differs, so this is
 * for clients that were written after the seed.
 */
export const claudeCodeSpec: Dialect = {
  id: "claude-code-spec",
  endpoint: { kind: "web-socket", discovery: claudeDiscovery },
  argumentErrors: "tool-result",
  readyDelayMs: 300,
  createTools: createSeedTools,
  clientKindOf: () => "",
  follows: ["selection"],
  encodeState: ({ selection }) => encodeSelection(selection),
  mentions: { needLines: () => false, encode: encodeMention },
  receive: receiveIdeConnected,
  attach,
};

function createSeedTools(host: EditorHost, platform: Platform): readonly BoundTool[] {
  const bind = toolBinder(host, platform);
  const okIfFound = (message: string) => (found: boolean) => textResult(found ? "OK" : message);
  return [
    bind(openDiff, "openDiff", encodeDiffOutcome, { description: "Opens a diff in the IDE" }),
    bind(openFile, "openFile", () => textResult("OK"), {
      description: "Opens the specified file in the IDE",
      encodeFailure: () => textResult("Project is closed or directory not found"),
    }),
    bind(openFiles, "open_files", (paths) => jsonResult({ opened_files: paths })),
    bind(reformatFile, "reformat_file", okIfFound("File not found")),
    bind(closeTab, "close_tab", okIfFound("Tab not found")),
    bind(listOpenDocuments, "get_all_opened_file_paths", (documents) =>
      textResult(documents.flatMap(({ untitled, path }) => (untitled ? [] : path)).join("\n")),
    ),
    bind(getCurrentDiagnostics, "getDiagnostics", (files) =>
      jsonResult(files.map((file) => encodeDiagnostics(file, platform))),
    ),
  ];
}

function encodeDiagnostics({ path, diagnostics }: FileDiagnostics, platform: Platform) {
  return {
    uri: toFileUri(path, platform),
    diagnostics: diagnostics.map(({ message, severity, range }) => ({
      message,
      severity: jetBrainsSeverity[severity],
      range,
    })),
  };
}

function encodeSelection(snapshot: SelectionSnapshot | undefined): WireNotification {
  const { selection, text } = snapshot
    ? primaryOf(snapshot)
    : { selection: CURSOR_AT_START, text: "" };
  return {
    method: "selection_changed",
    params: { selection, text: text || null, filePath: snapshot?.path ?? null },
  };
}

function encodeMention({ path, lines }: Mention): WireNotification {
  return {
    method: "at_mentioned",
    params: { filePath: path, lineStart: lines?.start ?? null, lineEnd: lines?.end ?? null },
  };
}

function attach(server: DialectContext) {
  const { clock, platform } = server;
  const stopPings = server.events.on("initialized", ({ connection }) => {
    keepAlive(connection.peer, {
      intervalMs: PING_INTERVAL_MS,
      timeoutMs: PING_TIMEOUT_MS,
      clock,
    });
  });
  const stopDiagnostics = watchDiagnostics(server, (file) => ({
    method: "diagnostics_changed",
    params: encodeDiagnostics(file, platform),
  }));
  return () => {
    stopPings();
    stopDiagnostics();
  };
}
