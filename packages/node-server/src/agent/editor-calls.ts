import { randomBytes } from "node:crypto";
import type { Params, RequestOptions } from "@idewire/core/rpc";
import type { CallToolResult } from "@idewire/core/server";
import type { ProposedDiff } from "./connect-options.ts";
import {
  type EditorDiagnostics,
  type ProposedDiffAnswer,
  readClosedCount,
  readDiagnostics,
  readDiffAnswer,
} from "./editor-messages.ts";
import type { EditorPaths } from "./editor-paths.ts";

/** Calls a tool of the connected editor. */
export type CallTool = (
  name: string,
  args: Params,
  options?: RequestOptions,
) => Promise<CallToolResult>;

/** Proposes a change as Claude Code does, and closes its tab in any case. */
export async function callOpenDiff(
  call: CallTool,
  { filePath, newText, tabName = nameTab(filePath) }: ProposedDiff,
  signal: AbortSignal | undefined,
): Promise<ProposedDiffAnswer> {
  const args = {
    old_file_path: filePath,
    new_file_path: filePath,
    new_file_contents: newText,
    tab_name: tabName,
  };
  const requestOptions = { timeoutMs: Number.POSITIVE_INFINITY };
  try {
    const options = signal === undefined ? requestOptions : { ...requestOptions, signal };
    return readDiffAnswer(await call("openDiff", args, options), { newText, tabName });
  } finally {
    // The result is not awaited; a closed editor has no tab left.
    callCloseTab(call, tabName).catch(() => {});
  }
}

export async function callCloseTab(call: CallTool, tabName: string): Promise<void> {
  await call("close_tab", { tab_name: tabName });
}

export async function callCloseAllDiffTabs(call: CallTool): Promise<number | undefined> {
  return readClosedCount(await call("closeAllDiffTabs", {}));
}

/** URIs are raw, as Claude Code writes them; without the key the whole workspace is meant. */
export async function callGetDiagnostics(
  call: CallTool,
  filePath: string | undefined,
  paths: EditorPaths,
): Promise<readonly EditorDiagnostics[]> {
  const args = filePath === undefined ? {} : { uri: paths.toUri(filePath) };
  return readDiagnostics(await call("getDiagnostics", args), paths);
}

/** Unique, so that two diffs of one file get two tabs. */
function nameTab(filePath: string): string {
  const name = filePath.replace(/^.*[\\/]/, "");
  return `${name} (${randomBytes(3).toString("hex")})`;
}
