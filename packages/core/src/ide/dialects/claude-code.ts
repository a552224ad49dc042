import { claudeDiscovery } from "../../discovery/claude-discovery.ts";
import { textResult } from "../../mcp/content.ts";
import { toRawFileUri } from "../../paths/file-uri.ts";
import type { Platform } from "../../paths/posix-path.ts";
import type { Dialect } from "../dialect.ts";
import type { EditorHost, FileDiagnostics } from "../editor-host.ts";
import { type BoundTool, toolBinder } from "../ide-tool.ts";
import { closeAllDiffTabs } from "../tools/close-all-diff-tabs.ts";
import { closeTab } from "../tools/close-tab.ts";
import { getDiagnostics } from "../tools/get-diagnostics.ts";
import { openDiff } from "../tools/open-diff.ts";
import {
  clientKindOf,
  encodeMention,
  encodeSelection,
  mentionsNeedLines,
  receiveIdeConnected,
} from "./claude-notifications.ts";
import { createExtensionTools } from "./extension-tools.ts";
import { encodeDiffOutcome, jsonResult } from "./shared-answers.ts";

/**
 * Claude Code 2.1.330 as measured (docs/clients/claude-code.md), and opencode, which speaks a part of
 * it (docs/clients/opencode.md). Where seed 002 differs, the measured client is followed.
 */
export const claudeCode: Dialect = {
  id: "claude-code",
  endpoint: { kind: "web-socket", discovery: claudeDiscovery },
  argumentErrors: "tool-result",
  readyDelayMs: 300,
  createTools: createClaudeTools,
  clientKindOf,
  follows: ["selection"],
  encodeState: ({ selection }, audience) => encodeSelection(selection, audience),
  mentions: { needLines: mentionsNeedLines, encode: encodeMention },
  receive: receiveIdeConnected,
};

/** The four tools that the command line calls, and those of the editor extensions. */
function createClaudeTools(host: EditorHost, platform: Platform): readonly BoundTool[] {
  const bind = toolBinder(host, platform);
  return [
    bind(openDiff, "openDiff", encodeDiffOutcome),
    bind(closeTab, "close_tab", () => textResult("TAB_CLOSED")),
    bind(closeAllDiffTabs, "closeAllDiffTabs", (count) => textResult(`CLOSED_${count}_DIFF_TABS`)),
    bind(getDiagnostics, "getDiagnostics", (files) =>
      jsonResult(files.map((file) => encodeFileDiagnostics(file, platform))),
    ),
    ...createExtensionTools(host, platform),
  ];
}

/** With a raw URI, since an encoded one is ignored; every diagnostic has a range. */
export function encodeFileDiagnostics(
  { path, diagnostics }: FileDiagnostics,
  platform: Platform,
): { readonly uri: string; readonly diagnostics: readonly unknown[] } {
  return {
    uri: toRawFileUri(path, platform),
    diagnostics: diagnostics.map(({ message, severity, range, source, code }) => ({
      message,
      severity: severity === "information" ? "Info" : capitalize(severity),
      range,
      ...(source !== undefined && { source }),
      ...(code !== undefined && { code }),
    })),
  };
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
