import type { ToolFailure } from "../../errors.ts";
import { type CallToolResult, textResult } from "../../mcp/content.ts";
import { toRawFileUri } from "../../paths/file-uri.ts";
import { type Platform, type PosixPath, toNativePath } from "../../paths/posix-path.ts";
import type {
  EditorHost,
  OpenDocument,
  SelectionSnapshot,
  WorkspaceFolder,
} from "../editor-host.ts";
import { type BoundTool, toolBinder } from "../ide-tool.ts";
import { checkDocumentDirty } from "../tools/check-document-dirty.ts";
import { getLatestSelection } from "../tools/get-latest-selection.ts";
import { getSelection } from "../tools/get-selection.ts";
import { getWorkspaceFolders } from "../tools/get-workspace-folders.ts";
import { listOpenDocuments } from "../tools/list-open-documents.ts";
import { openFile } from "../tools/open-file.ts";
import { saveDocument } from "../tools/save-document.ts";
import { jsonResult, primaryOf } from "./shared-answers.ts";

/**
 * The further tools of the official editor extensions, which the command line itself does not call.
 * Most results are JSON with a member `success`. `executeCode` is left out on purpose: an editor runs
 * no code for an agent.
 */
export function createExtensionTools(host: EditorHost, platform: Platform): readonly BoundTool[] {
  const bind = toolBinder(host, platform);
  const failure = { encodeFailure };
  const success = (path: PosixPath, facts: object | undefined) =>
    jsonResult({ success: true, filePath: toNativePath(path, platform), ...facts });
  const selectionOr = (message: string) => (snapshot: SelectionSnapshot | undefined) =>
    snapshot === undefined
      ? jsonResult({ success: false, message })
      : jsonResult({
          success: true,
          ...primaryOf(snapshot),
          filePath: toNativePath(snapshot.path, platform),
          ...(snapshot.comments && { comments: snapshot.comments }),
        });
  return [
    bind(
      openFile,
      "openFile",
      ({ path, frontmost, contents }) =>
        frontmost
          ? textResult(`Opened file: ${toNativePath(path, platform)}`)
          : success(path, contents),
      failure,
    ),
    bind(listOpenDocuments, "getOpenEditors", (open) => encodeTabs(open, platform), failure),
    bind(
      checkDocumentDirty,
      "checkDocumentDirty",
      ({ path, dirty, untitled }) => success(path, { isDirty: dirty, isUntitled: untitled }),
      failure,
    ),
    bind(
      saveDocument,
      "saveDocument",
      (path) => success(path, { saved: true, message: "Document saved successfully" }),
      failure,
    ),
    bind(getSelection, "getCurrentSelection", selectionOr("No active editor found")),
    bind(getLatestSelection, "getLatestSelection", selectionOr("No selection available")),
    bind(getWorkspaceFolders, "getWorkspaceFolders", (all) => encodeFolders(all, platform)),
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
