import type { Unsubscribe } from "../../emitter.ts";
import { type CallToolResult, errorResult, textResult } from "../../mcp/content.ts";
import type { Tool } from "../../mcp/server/tool.ts";
import { type Platform, toNativePath } from "../../paths/posix-path.ts";
import type { Audience, Dialect, WireNotification } from "../dialect.ts";
import type { EditorHost, FileDiagnostics, SelectionSnapshot } from "../editor-host.ts";
import { bindTool } from "../ide-tool.ts";
import type { DialectContext, IdeSession } from "../session/ide-session.ts";
import { closeTab } from "../tools/close-tab.ts";
import { takeProjectPaths } from "../tools/common/project-paths.ts";
import { getFileDiagnostics } from "../tools/get-file-diagnostics.ts";
import { getSelection } from "../tools/get-selection.ts";
import { listOpenDocuments } from "../tools/list-open-documents.ts";
import { openDiffInProject } from "../tools/open-diff-in-project.ts";
import { openFilePath } from "../tools/open-file-path.ts";
import { reformatFile } from "../tools/reformat-file.ts";
import { setCursorPosition } from "../tools/set-cursor-position.ts";
import { setSelection } from "../tools/set-selection.ts";
import { encodeDiffOutcome, jsonResult, primaryOf } from "./answers.ts";
import { encodeMention } from "./claude-notifications.ts";
import { jetBrainsSeverity } from "./jetbrains-severity.ts";

/**
 * The JetBrains plugin as seed 000 has it. Where that seed gives no shape, seed 002's of the same
 * tool or notification is taken (docs/seeds.md).
 */
export const jetBrains: Dialect = {
  id: "jetbrains",
  discovery: "jetbrains",
  serverName: "Claude Code JetBrains Plugin",
  argumentErrors: "tool-result",
  readyDelayMs: 300,
  createTools: (host, platform) => [
    ...createFileTools(host, platform),
    ...createEditorTools(host, platform),
  ],
  clientKindOf: () => "",
  encodeSelection,
  mentionsNeedLines: () => false,
  encodeMention,
  receive: () => undefined,
  attach: greet,
};

function createFileTools(host: EditorHost, platform: Platform): readonly Tool<IdeSession>[] {
  const binding = { host, platform };
  return [
    bindTool(takeProjectPaths(openFilePath, "file_path"), {
      ...binding,
      name: "open_file",
      encode: ok,
    }),
    bindTool(closeTab, {
      ...binding,
      name: "close_tab",
      encode: (found) => (found ? ok() : errorResult("Tab not found")),
    }),
    bindTool(listOpenDocuments, {
      ...binding,
      name: "list_opened_files",
      encode: (documents) => {
        const files = documents.filter(({ untitled }) => !untitled);
        return textResult(files.map(({ path }) => toNativePath(path, platform)).join("\n"));
      },
    }),
    bindTool(takeProjectPaths(reformatFile, "file_path"), {
      ...binding,
      name: "reformat_file",
      encode: (found) => (found ? ok() : errorResult("File not found")),
    }),
    bindTool(openDiffInProject, {
      ...binding,
      name: "openDiff",
      description: "Opens a diff viewer in the IDE",
      encode: encodeDiffOutcome,
    }),
  ];
}

function createEditorTools(host: EditorHost, platform: Platform): readonly Tool<IdeSession>[] {
  const binding = { host, platform };
  return [
    bindTool(getSelection, {
      ...binding,
      name: "get_cursor_position",
      description: "Where the cursor is in the active editor",
      encode: (snapshot) => encodeCursor(snapshot, platform),
    }),
    bindTool(takeProjectPaths(setCursorPosition, "file_path"), {
      ...binding,
      name: "set_cursor_position",
      encode: ok,
    }),
    bindTool(getSelection, {
      ...binding,
      name: "get_selection",
      encode: (snapshot) => encodeSelected(snapshot, platform),
    }),
    bindTool(takeProjectPaths(setSelection, "file_path"), {
      ...binding,
      name: "set_selection",
      encode: ok,
    }),
    bindTool(takeProjectPaths(getFileDiagnostics, "file_path"), {
      ...binding,
      name: "get_diagnostics",
      encode: (files) => encodeDiagnostics(files, platform),
    }),
  ];
}

function ok(): CallToolResult {
  return textResult("OK");
}

const NOTHING_ACTIVE = "No file is open in the editor";

/** The end of the main range; only the file where no more is shared. */
function encodeCursor(snapshot: SelectionSnapshot | undefined, platform: Platform): CallToolResult {
  if (snapshot === undefined) return errorResult(NOTHING_ACTIVE);
  const { line, character } = primaryOf(snapshot).selection.end;
  const position = snapshot.ranges && { line, column: character };
  return jsonResult({ file_path: toNativePath(snapshot.path, platform), ...position });
}

function encodeSelected(
  snapshot: SelectionSnapshot | undefined,
  platform: Platform,
): CallToolResult {
  if (snapshot === undefined) return errorResult(NOTHING_ACTIVE);
  const { selection: range, text } = primaryOf(snapshot);
  const selected = snapshot.ranges && { range, text };
  return jsonResult({ file_path: toNativePath(snapshot.path, platform), ...selected });
}

function encodeDiagnostics(files: readonly FileDiagnostics[], platform: Platform): CallToolResult {
  const diagnostics = files.flatMap((file) =>
    file.diagnostics.map(({ range: { start }, severity, message }) => ({
      file_path: toNativePath(file.path, platform),
      line: start.line,
      column: start.character,
      severity: jetBrainsSeverity[severity],
      message,
    })),
  );
  return jsonResult({ diagnostics });
}

function encodeSelection(
  snapshot: SelectionSnapshot | undefined,
  { platform }: Audience,
): WireNotification {
  const params =
    snapshot === undefined
      ? { file_path: null, range: null }
      : {
          file_path: toNativePath(snapshot.path, platform),
          range: primaryOf(snapshot).selection,
        };
  return { method: "notifications/selection_changed", params };
}

/** Tells each agent once, before all else, which project it is connected to. */
function greet(server: DialectContext): Unsubscribe {
  const greeted = new WeakSet<IdeSession>();
  return server.events.on("ready", (session) => {
    const [folder] = server.host.workspace().folders;
    if (greeted.has(session) || folder === undefined) return;
    greeted.add(session);
    session.connection.peer.notify("notifications/ide_connected", {
      project_path: toNativePath(folder.path, server.platform),
    });
  });
}
