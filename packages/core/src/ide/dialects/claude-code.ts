import { type CallToolResult, textResult } from "../../mcp/content.ts";
import type { Implementation } from "../../mcp/protocol.ts";
import { toRawFileUri } from "../../paths/file-uri.ts";
import { type Platform, toNativePath } from "../../paths/posix-path.ts";
import type { Audience, Dialect, WireNotification } from "../dialect.ts";
import type { FileDiagnostics, Mention, SelectionSnapshot } from "../editor-host.ts";
import { bindTool } from "../ide-tool.ts";
import { closeAllDiffTabs } from "../tools/close-all-diff-tabs.ts";
import { closeTab } from "../tools/close-tab.ts";
import { getDiagnostics } from "../tools/get-diagnostics.ts";
import { openDiff } from "../tools/open-diff.ts";
import { CURSOR_AT_START, encodeDiffOutcome, jsonResult, primaryOf } from "./answers.ts";
import { createExtensionTools } from "./extension-tools.ts";

/** opencode reads Claude Code's lock files and two of its notifications (other-agents.md 4). */
const OPENCODE = "opencode";
const CLAUDE = "claude";

/**
 * Claude Code as its command line was measured (claude-cli.md, 2.1.330), and opencode, which speaks
 * a part of it. Where seed 002 differs, the measured client is followed.
 */
export const claudeCode: Dialect = {
  id: "claude-code",
  argumentErrors: "tool-result",
  readyDelayMs: 300,

  createTools: (host, platform) => [
    bindTool(openDiff, { name: "openDiff", host, platform, encode: encodeDiffOutcome }),
    bindTool(closeTab, {
      name: "close_tab",
      host,
      platform,
      encode: () => textResult("TAB_CLOSED"),
    }),
    bindTool(closeAllDiffTabs, {
      name: "closeAllDiffTabs",
      host,
      platform,
      encode: (count) => textResult(`CLOSED_${count}_DIFF_TABS`),
    }),
    bindTool(getDiagnostics, {
      name: "getDiagnostics",
      host,
      platform,
      encode: (files) => encodeDiagnostics(files, platform),
    }),
    ...createExtensionTools(host, platform),
  ],

  variantOf: (client: Implementation) => (client.name === OPENCODE ? OPENCODE : CLAUDE),
  encodeSelection,
  mentionsNeedLines: (variant) => variant === OPENCODE,
  encodeMention,

  receive(session, method, params) {
    const pid = params?.["pid"];
    if (method === "ide_connected" && typeof pid === "number") session.identify({ pid });
  },
};

/** One text of JSON; URIs raw, since encoded ones are ignored; every item with its range. */
function encodeDiagnostics(files: readonly FileDiagnostics[], platform: Platform): CallToolResult {
  const items = files.map(({ path, diagnostics }) => ({
    uri: toRawFileUri(path, platform),
    diagnostics: diagnostics.map(({ message, severity, range, source, code }) => ({
      message,
      severity: severity === "information" ? "Info" : capitalize(severity),
      range,
      ...(source !== undefined && { source }),
      ...(code !== undefined && { code }),
    })),
  }));
  return jsonResult(items);
}

/**
 * A key that has no value is left out: a null makes the whole notification void. Nothing selected is
 * said by an empty range and no path, which is what clears.
 */
function encodeSelection(
  snapshot: SelectionSnapshot | undefined,
  { platform, variant }: Audience,
): WireNotification {
  const method = "selection_changed";
  if (snapshot === undefined) {
    // opencode drops what has no path; an empty one takes the old path from its context.
    const filePath = variant === OPENCODE ? { filePath: "" } : undefined;
    return { method, params: { selection: CURSOR_AT_START, text: "", ...filePath } };
  }
  const filePath = toNativePath(snapshot.path, platform);
  if (variant !== OPENCODE || snapshot.ranges === undefined || snapshot.ranges.length < 2) {
    return { method, params: { ...primaryOf(snapshot), filePath } };
  }
  const ranges = snapshot.ranges.map((range) => ({
    text: range.text,
    selection: { start: range.start, end: range.end },
  }));
  return { method, params: { filePath, ranges } };
}

function encodeMention({ path, lines }: Mention, { platform }: Audience): WireNotification {
  return {
    method: "at_mentioned",
    params: {
      filePath: toNativePath(path, platform),
      ...(lines !== undefined && { lineStart: lines.start, lineEnd: lines.end }),
    },
  };
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
