import { jetBrainsDiscovery } from "../../discovery/jetbrains-discovery.ts";
import type { Unsubscribe } from "../../emitter.ts";
import { type CallToolResult, errorResult, textResult } from "../../mcp/content.ts";
import { type Platform, toNativePath } from "../../paths/posix-path.ts";
import type { Audience, Dialect, WireNotification } from "../dialect.ts";
import type { EditorHost, FileDiagnostics, SelectionSnapshot } from "../editor-host.ts";
import { type BoundTool, type IdeTool, toolBinder } from "../ide-tool.ts";
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
import { encodeMention } from "./claude-notifications.ts";
import { jetBrainsSeverity } from "./jetbrains-severity.ts";
import { encodeDiffOutcome, jsonResult, primaryOf } from "./shared-answers.ts";

/**
 * The JetBrains plugin as seed 000 describes it. Where that seed gives no shape, the one that seed 002
 * gives for the same tool or notification is used (docs/reference/seeds.md).
 */
export const jetBrains: Dialect = {
  id: "jetbrains",
  endpoint: { kind: "web-socket", discovery: jetBrainsDiscovery },
  serverName: "Claude Code JetBrains Plugin",
  argumentErrors: "tool-result",
  readyDelayMs: 300,
  createTools: createJetBrainsTools,
  clientKindOf: () => "",
  follows: ["selection"],
  encodeState: ({ selection }, audience) => encodeSelection(selection, audience),
  mentions: { needLines: () => false, encode: encodeMention },
  receive: () => undefined,
  attach: sendProject,
};

function createJetBrainsTools(host: EditorHost, platform: Platform): readonly BoundTool[] {
  const bind = toolBinder(host, platform);
  const okIfFound = (message: string) => (found: boolean) => (found ? ok() : errorResult(message));
  const inProject = <A extends { readonly file_path?: string }, O>(tool: IdeTool<A, O>) =>
    takeProjectPaths(tool, "file_path");
  return [
    bind(inProject(openFilePath), "open_file", ok),
    bind(closeTab, "close_tab", okIfFound("Tab not found")),
    bind(listOpenDocuments, "list_opened_files", (documents) =>
      textResult(
        documents
          .flatMap(({ untitled, path }) => (untitled ? [] : toNativePath(path, platform)))
          .join("\n"),
      ),
    ),
    bind(inProject(reformatFile), "reformat_file", okIfFound("File not found")),
    bind(openDiffInProject, "openDiff", encodeDiffOutcome, {
      description: "Opens a diff viewer in the IDE",
    }),
    bind(getSelection, "get_cursor_position", (snapshot) => encodeCursor(snapshot, platform), {
      description: "Where the cursor is in the active editor",
    }),
    bind(inProject(setCursorPosition), "set_cursor_position", ok),
    bind(getSelection, "get_selection", (snapshot) => encodeSelected(snapshot, platform)),
    bind(inProject(setSelection), "set_selection", ok),
    bind(inProject(getFileDiagnostics), "get_diagnostics", (files) =>
      encodeDiagnostics(files, platform),
    ),
  ];
}

function ok(): CallToolResult {
  return textResult("OK");
}

const NOTHING_ACTIVE = "No file is open in the editor";

/** The end of the primary range; only the file when no more than the path is shared. */
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

/** Sends each agent once, before any other notification, the project to which it is connected. */
function sendProject(server: DialectContext): Unsubscribe {
  const notified = new WeakSet<IdeSession>();
  return server.events.on("ready", (session) => {
    const [folder] = server.host.workspace().folders;
    if (notified.has(session) || folder === undefined) return;
    notified.add(session);
    session.connection.peer.notify("notifications/ide_connected", {
      project_path: toNativePath(folder.path, server.platform),
    });
  });
}
