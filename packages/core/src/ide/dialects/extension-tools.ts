import type { ToolFailure } from "../../errors.ts";
import { type CallToolResult, textResult } from "../../mcp/content.ts";
import type { Tool } from "../../mcp/server/tool.ts";
import { toRawFileUri } from "../../paths/file-uri.ts";
import { type Platform, type PosixPath, toNativePath } from "../../paths/posix-path.ts";
import type {
  EditorHost,
  OpenDocument,
  SelectionSnapshot,
  WorkspaceFolder,
} from "../editor-host.ts";
import { bindTool } from "../ide-tool.ts";
import type { IdeSession } from "../session/ide-session.ts";
import { checkDocumentDirty } from "../tools/check-document-dirty.ts";
import { getLatestSelection } from "../tools/get-latest-selection.ts";
import { getSelection } from "../tools/get-selection.ts";
import { getWorkspaceFolders } from "../tools/get-workspace-folders.ts";
import { listOpenDocuments } from "../tools/list-open-documents.ts";
import { openFile } from "../tools/open-file.ts";
import { saveDocument } from "../tools/save-document.ts";
import { jsonResult, primaryOf } from "./answers.ts";

/**
 * What the official editor extensions offer beside the tools that the command line calls. Most
 * answers are JSON with `success` in it. `executeCode` is left out on purpose: an editor runs no
 * code for an agent.
 */
export function createExtensionTools(
  host: EditorHost,
  platform: Platform,
): readonly Tool<IdeSession>[] {
  return [
    ...createDocumentTools(host, platform),
    ...createSelectionTools(host, platform),
    bindTool(getWorkspaceFolders, {
      host,
      platform,
      name: "getWorkspaceFolders",
      encode: (folders) => encodeFolders(folders, platform),
    }),
  ];
}

function createDocumentTools(host: EditorHost, platform: Platform): readonly Tool<IdeSession>[] {
  const binding = { host, platform, encodeFailure };
  const success = (path: PosixPath, facts: object | undefined) =>
    jsonResult({ success: true, filePath: toNativePath(path, platform), ...facts });
  return [
    bindTool(openFile, {
      ...binding,
      name: "openFile",
      encode: ({ path, frontmost, contents }) =>
        frontmost
          ? textResult(`Opened file: ${toNativePath(path, platform)}`)
          : success(path, contents),
    }),
    bindTool(listOpenDocuments, {
      ...binding,
      name: "getOpenEditors",
      encode: (documents) => encodeTabs(documents, platform),
    }),
    bindTool(checkDocumentDirty, {
      ...binding,
      name: "checkDocumentDirty",
      encode: ({ path, dirty, untitled }) =>
        success(path, { isDirty: dirty, isUntitled: untitled }),
    }),
    bindTool(saveDocument, {
      ...binding,
      name: "saveDocument",
      encode: (path) => success(path, { saved: true, message: "Document saved successfully" }),
    }),
  ];
}

function createSelectionTools(host: EditorHost, platform: Platform): readonly Tool<IdeSession>[] {
  const binding = { host, platform };
  const encodeOr = (message: string) => (snapshot: SelectionSnapshot | undefined) => {
    if (snapshot === undefined) return jsonResult({ success: false, message });
    const filePath = toNativePath(snapshot.path, platform);
    return jsonResult({ success: true, ...primaryOf(snapshot), filePath });
  };
  return [
    bindTool(getSelection, {
      ...binding,
      name: "getCurrentSelection",
      encode: encodeOr("No active editor found"),
    }),
    bindTool(getLatestSelection, {
      ...binding,
      name: "getLatestSelection",
      encode: encodeOr("No selection available"),
    }),
  ];
}

function encodeTabs(documents: readonly OpenDocument[], platform: Platform): CallToolResult {
  const tabs = documents.map(({ path, uri, untitled, active, label, languageId, dirty }) => ({
    uri: untitled ? uri : toRawFileUri(path, platform),
    isActive: active,
    label,
    languageId,
    isDirty: dirty,
  }));
  return jsonResult({ tabs });
}

function encodeFolders(folders: readonly WorkspaceFolder[], platform: Platform): CallToolResult {
  const encoded = folders.map(({ name, path }) => ({
    name,
    uri: toRawFileUri(path, platform),
    path: toNativePath(path, platform),
  }));
  return jsonResult({ success: true, folders: encoded, rootPath: encoded[0]?.path });
}

function encodeFailure({ message }: ToolFailure): CallToolResult {
  return jsonResult({ success: false, message });
}
