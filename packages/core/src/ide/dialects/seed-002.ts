import { textResult } from "../../mcp/content.ts";
import type { Tool } from "../../mcp/server/tool.ts";
import { toFileUri } from "../../paths/file-uri.ts";
import type { Platform } from "../../paths/posix-path.ts";
import { keepAlive } from "../../rpc/keep-alive.ts";
import type { Dialect, WireNotification } from "../dialect.ts";
import type { EditorHost, FileDiagnostics, Mention, SelectionSnapshot } from "../editor-host.ts";
import { bindTool } from "../ide-tool.ts";
import type { DialectContext, IdeSession } from "../session/ide-session.ts";
import { watchDiagnostics } from "../session/watch-diagnostics.ts";
import { closeTab } from "../tools/close-tab.ts";
import { getCurrentDiagnostics } from "../tools/get-current-diagnostics.ts";
import { listOpenDocuments } from "../tools/list-open-documents.ts";
import { openDiff } from "../tools/open-diff.ts";
import { openFile } from "../tools/open-file.ts";
import { openFiles } from "../tools/open-files.ts";
import { reformatFile } from "../tools/reformat-file.ts";
import { CURSOR_AT_START, encodeDiffOutcome, jsonResult, primaryOf } from "./answers.ts";
import { receiveIdeConnected } from "./claude-notifications.ts";
import { jetBrainsSeverity } from "./jetbrains-severity.ts";

const PING_INTERVAL_MS = 5_000;
const PING_TIMEOUT_MS = 3_000;

/**
 * What seed 002 says of the Claude Code plugins, to the letter: its texts, POSIX paths on Windows
 * too, null where there is nothing, and a JSON-RPC ping. The published command line differs, so that
 * this is for clients that were written after the seed.
 */
export const seed002: Dialect = {
  id: "seed-002",
  discovery: "claude",
  argumentErrors: "tool-result",
  readyDelayMs: 300,
  createTools: (host, platform) => [
    ...createFileTools(host, platform),
    ...createTabTools(host, platform),
  ],
  clientKindOf: () => "",
  encodeSelection,
  mentionsNeedLines: () => false,
  encodeMention,
  receive: receiveIdeConnected,
  attach,
};

function createFileTools(host: EditorHost, platform: Platform): readonly Tool<IdeSession>[] {
  const binding = { host, platform };
  return [
    bindTool(openDiff, {
      ...binding,
      name: "openDiff",
      description: "Opens a diff in the IDE",
      encode: encodeDiffOutcome,
    }),
    bindTool(openFile, {
      ...binding,
      name: "openFile",
      description: "Opens the specified file in the IDE",
      encode: () => textResult("OK"),
      encodeFailure: () => textResult("Project is closed or directory not found"),
    }),
    bindTool(openFiles, {
      ...binding,
      name: "open_files",
      encode: (paths) => jsonResult({ opened_files: paths }),
    }),
    bindTool(reformatFile, {
      ...binding,
      name: "reformat_file",
      encode: (found) => textResult(found ? "OK" : "File not found"),
    }),
  ];
}

function createTabTools(host: EditorHost, platform: Platform): readonly Tool<IdeSession>[] {
  const binding = { host, platform };
  return [
    bindTool(closeTab, {
      ...binding,
      name: "close_tab",
      encode: (found) => textResult(found ? "OK" : "Tab not found"),
    }),
    bindTool(listOpenDocuments, {
      ...binding,
      name: "get_all_opened_file_paths",
      encode: (documents) => {
        const files = documents.filter(({ untitled }) => !untitled);
        return textResult(files.map(({ path }) => path).join("\n"));
      },
    }),
    bindTool(getCurrentDiagnostics, {
      ...binding,
      name: "getDiagnostics",
      encode: (files) => jsonResult(files.map((file) => encodeDiagnostics(file, platform))),
    }),
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
