import { copilotDiscovery } from "../../discovery/copilot-discovery.ts";
import { toFileUri } from "../../paths/file-uri.ts";
import { type Platform, type PosixPath, toNativePath } from "../../paths/posix-path.ts";
import type { Range } from "../../text/position.ts";
import type { AgentHeaders, Audience, Dialect, WireNotification } from "../dialect.ts";
import type {
  DiffOutcome,
  EditorHost,
  FileDiagnostics,
  Mention,
  SelectionSnapshot,
} from "../editor-host.ts";
import { type BoundTool, toolBinder } from "../ide-tool.ts";
import { closeTitledDiff } from "../tools/close-titled-diff.ts";
import { getDiagnosticsForModel } from "../tools/get-diagnostics.ts";
import { getEditorInfo } from "../tools/get-editor-info.ts";
import { getKnownSelection } from "../tools/get-known-selection.ts";
import { type OpenTitledDiffArguments, openTitledDiff } from "../tools/open-titled-diff.ts";
import { updateSessionName } from "../tools/update-session-name.ts";
import { CURSOR_AT_START, isFile, jsonResult, primaryOf } from "./shared-answers.ts";

/** Copilot CLI 1.0.102 as measured (docs/clients/copilot-cli.md). */
export const copilot: Dialect = {
  id: "copilot",
  endpoint: {
    kind: "http-socket",
    discovery: copilotDiscovery,
    scheme: "Nonce",
    identify: readHeaders,
    introduce: ({ session, pid }) => ({
      "x-copilot-session-id": session,
      "x-copilot-pid": String(pid),
    }),
  },
  agent: { name: "copilot-cli", title: "Copilot CLI", start: "copilot" },
  argumentErrors: "tool-result",
  readyDelayMs: 50,
  createTools,
  clientKindOf: () => "",
  follows: ["selection"],
  stateIntervalMs: 200,
  encodeState: ({ selection }, { platform }) => ({
    method: "selection_changed",
    params: encodeSelection(selection, platform),
  }),
  mentions: { needLines: () => false, encode: encodeMention },
  receive: () => undefined,
};

/** A process has one session, which another `initialize` replaces. */
function readHeaders(header: (name: string) => string | undefined): AgentHeaders {
  const session = header("x-copilot-session-id");
  const pid = /^[1-9]\d{0,9}$/.exec(header("x-copilot-pid") ?? "")?.[0];
  return {
    ...(session !== undefined && { session }),
    ...(pid !== undefined && { pid: Number(pid) }),
  };
}

function createTools(host: EditorHost, platform: Platform): readonly BoundTool[] {
  const bind = toolBinder(host, platform);
  return [
    bind(getEditorInfo, "get_vscode_info", ({ name, version }) =>
      jsonResult({ appName: name, version }),
    ),
    bind(getKnownSelection, "get_selection", (known) => {
      if (known === undefined) return jsonResult(null);
      const { snapshot, isCurrent } = known;
      return jsonResult({ ...encodeSelection(snapshot, platform), current: isCurrent });
    }),
    bind(getDiagnosticsForModel, "get_diagnostics", (files) =>
      jsonResult(files.flatMap((file) => encodeDiagnostics(file, platform))),
    ),
    bind(openTitledDiff, "open_diff", (outcome, args) => jsonResult(encodeOutcome(outcome, args))),
    bind(closeTitledDiff, "close_diff", (isFound, { tab_name }) =>
      jsonResult({
        ...{ success: true, already_closed: !isFound, tab_name },
        message: isFound ? "The diff was closed" : "There is no such diff",
      }),
    ),
    bind(updateSessionName, "update_session_name", () => jsonResult({ success: true })),
  ];
}

/**
 * The agent writes its own text after `SAVED`: a proposal that the person has edited is rejected, since nobody has
 * accepted the text that would be written. A diff without a decision is rejected, or the agent would wait
 * indefinitely.
 */
function encodeOutcome(outcome: DiffOutcome, { tab_name }: OpenTitledDiffArguments) {
  const [result, trigger, message] = explain(outcome);
  return { success: true, result, trigger, tab_name, message };
}

function explain(outcome: DiffOutcome): readonly [result: string, trigger: string, words: string] {
  switch (outcome.kind) {
    case "accepted":
      return outcome.edited
        ? ["REJECTED", "accepted_with_edits", "The person accepted another text than the proposed"]
        : ["SAVED", "accepted_via_button", "The person accepted the change"];
    case "rejected":
      return ["REJECTED", "rejected_via_button", "The person rejected the change"];
    default:
      return ["REJECTED", "closed_via_tool", "The diff was closed"];
  }
}

/** The agent ignores a notification that lacks a member; an empty range means no selection. */
function encodeSelection(snapshot: SelectionSnapshot | undefined, platform: Platform) {
  if (snapshot === undefined || !isFile(snapshot.path)) {
    return { text: "", filePath: "", fileUrl: "", selection: withEmptiness(CURSOR_AT_START) };
  }
  const { selection, text } = primaryOf(snapshot);
  return { text, ...encodePath(snapshot.path, platform), selection: withEmptiness(selection) };
}

function withEmptiness({ start, end }: Range) {
  const isEmpty = start.line === end.line && start.character === end.character;
  return { start, end, isEmpty };
}

/** The agent makes `@file:line-line` of it, and has no use for the text. */
function encodeMention({ path, lines }: Mention, { platform }: Audience): WireNotification {
  const selection = lines && {
    start: { line: lines.start, character: 0 },
    end: { line: lines.end, character: 0 },
  };
  return {
    method: selection === undefined ? "add_file_reference" : "add_selection",
    params: {
      ...encodePath(path, platform),
      selection: selection ?? null,
      selectedText: null,
    },
  };
}

function encodeDiagnostics({ path, diagnostics }: FileDiagnostics, platform: Platform) {
  if (diagnostics.length === 0) return [];
  const { filePath, fileUrl: uri } = encodePath(path, platform);
  return [
    {
      ...{ uri, filePath },
      diagnostics: diagnostics.map(({ message, severity, range, source, code }) => ({
        ...{ message, severity, range },
        ...(source !== undefined && { source }),
        ...(code !== undefined && { code }),
      })),
    },
  ];
}

function encodePath(path: PosixPath, platform: Platform) {
  return { filePath: toNativePath(path, platform), fileUrl: toFileUri(path, platform) };
}
