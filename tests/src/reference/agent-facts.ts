import { codex, copilot, gemini, qwen } from "@idewire/core";
import { FILE, mentionFile, mentionLines, selectWords } from "./context.ts";
import { type EventFacts, object, path, range } from "./event-facts.ts";
import type { DialectFacts, Example, ToolFacts } from "./facts.ts";

type Shape = EventFacts["schema"];

const text: Shape = { type: "string" };
const proposed = "# Beds\n\n- tomatoes\n- peas\n";
const edited = "# Beds\n\n- tomatoes\n- basil\n";

/** A section of the measurements of an agent. */
function measured(page: string, section: string): readonly string[] {
  const anchor = section.toLowerCase().replaceAll(" ", "-");
  return [`[docs/clients/${page}.md, ${section}](../../clients/${page}.md#${anchor})`];
}

function called(
  calledBy: string,
  sources: readonly string[],
  ...examples: readonly Example[]
): ToolFacts {
  return { calledBy, sources, examples };
}

const openDiff = { filePath: FILE, newContent: proposed };

const geminiTools: DialectFacts["tools"] = {
  openDiff: called(
    "The agent, unasked, before an edit that needs a permission. It is answered at once, and writes the file itself after `ide/diffAccepted`.",
    measured("gemini-cli", "Diffs"),
    { args: openDiff },
  ),
  closeDiff: called(
    "The agent, unasked, when the person has answered in its terminal, and when it ends.",
    measured("gemini-cli", "Diffs"),
    { args: { filePath: FILE, suppressNotification: true } },
  ),
};

const UNDERSTOOD = "Gemini CLI and Qwen Code.";

const geminiEvents: readonly EventFacts[] = [
  {
    method: "ide/contextUpdate",
    from: "editor",
    when: "The selection, the open files or the trust has changed, at most every 50 ms; and after the agent has listed the tools. It is the whole state, with the newest file first. Positions are 1-based.",
    understoodBy: UNDERSTOOD,
    sources: measured("gemini-cli", "Context"),
    schema: object({
      workspaceState: object({
        openFiles: {
          type: "array",
          items: object(
            {
              ...{ path, timestamp: { type: "number" }, isActive: { type: "boolean" } },
              cursor: object({
                line: { type: "integer", minimum: 1 },
                character: { type: "integer", minimum: 1 },
              }),
              selectedText: text,
            },
            ["isActive", "cursor", "selectedText"],
          ),
        },
        isTrusted: { type: "boolean" },
      }),
    }),
    examples: [
      { title: "Words are selected", act: ({ host }) => selectWords(host) },
      { title: "Nothing is active", act: ({ host }) => host.setSelection(undefined) },
    ],
  },
  {
    method: "ide/diffAccepted",
    from: "editor",
    when: "The person has accepted a diff: with the text to write, which may have been edited.",
    understoodBy: UNDERSTOOD,
    sources: measured("gemini-cli", "Diffs"),
    schema: object({ filePath: path, content: text }),
    examples: [
      {
        title: "Accepted, after the person has changed it",
        act: ({ call }) => {
          void call("openDiff", { args: openDiff, person: { kind: "accepted", text: edited } });
        },
      },
    ],
  },
  {
    method: "ide/diffRejected",
    from: "editor",
    when: "The person has rejected a diff, or closed it.",
    understoodBy: UNDERSTOOD,
    sources: measured("gemini-cli", "Diffs"),
    schema: object({ filePath: path }),
    examples: [
      {
        title: "Rejected, or closed without an answer",
        act: ({ call }) => {
          void call("openDiff", { args: openDiff, person: { kind: "rejected" } });
        },
      },
    ],
  },
];

const tabName = "[Copilot CLI] - beds.md (20abf9)";
const copilotDiff = {
  original_file_path: FILE,
  new_file_contents: proposed,
  tab_name: tabName,
};
const copilotSource = measured("copilot-cli", "Tools");
const notCalled = "The agent does not call it.";
const byModel = "The model, as `ide-get_diagnostics` and `ide-get_selection`.";

const copilotTools: DialectFacts["tools"] = {
  get_vscode_info: called(notCalled, copilotSource, { args: {} }),
  get_selection: called(byModel, copilotSource, { args: {} }),
  get_diagnostics: called(
    byModel,
    copilotSource,
    { title: "One file", args: { uri: `file://${FILE}` } },
    { title: "The workspace", args: {} },
  ),
  open_diff: called(
    "The agent, unasked, before an edit that needs a permission. It waits for the answer, and writes its own text after `SAVED`.",
    copilotSource,
    { title: "Accepted", args: copilotDiff, person: { kind: "accepted", text: proposed } },
    {
      title: "Accepted, after the person has changed it",
      args: copilotDiff,
      person: { kind: "accepted", text: edited },
    },
    { title: "Rejected", args: copilotDiff, person: { kind: "rejected" } },
  ),
  close_diff: called(
    "The agent, unasked, when the person has answered in its terminal.",
    copilotSource,
    { args: { tab_name: tabName } },
  ),
  update_session_name: called("The agent, unasked, when the session has a title.", copilotSource, {
    args: { name: "Plant peas" },
  }),
};

const copilotSelection = object({
  text,
  filePath: { ...path, description: "Empty when nothing is active" },
  fileUrl: { type: "string", description: "file:// URI" },
  selection: object({
    ...range.properties,
    isEmpty: { type: "boolean" },
  }),
});

const orNull = (shape: Shape): Shape => ({ anyOf: [shape, { type: "null" }] });
const reference = object({
  filePath: path,
  fileUrl: { type: "string", description: "file:// URI" },
  selection: orNull(range),
  selectedText: orNull(text),
});

const copilotEvents: readonly EventFacts[] = [
  {
    method: "selection_changed",
    from: "editor",
    when: "The selection, or the active file, has changed, at most every 200 ms; and after the handshake. Positions are 0-based.",
    understoodBy: "Copilot CLI, which ignores one that lacks a member.",
    sources: measured("copilot-cli", "Notifications"),
    schema: copilotSelection,
    examples: [
      { title: "Words are selected", act: ({ host }) => selectWords(host) },
      { title: "Nothing is active", act: ({ host }) => host.setSelection(undefined) },
    ],
  },
  {
    method: "add_selection",
    from: "editor",
    when: "The person sends lines of a file to the agent.",
    understoodBy: "Copilot CLI inserts `@file:3-5` into the prompt.",
    sources: measured("copilot-cli", "Notifications"),
    schema: reference,
    examples: [{ title: "Lines", act: ({ host }) => mentionLines(host) }],
  },
  {
    method: "add_file_reference",
    from: "editor",
    when: "The person sends a file to the agent.",
    understoodBy: "Copilot CLI inserts `@file` into the prompt.",
    sources: measured("copilot-cli", "Notifications"),
    schema: reference,
    examples: [{ title: "A whole file", act: ({ host }) => mentionFile(host) }],
  },
];

/** The dialects of the other agents, each spoken by one program. */
export const agentDialects: readonly DialectFacts[] = [
  {
    dialect: gemini,
    name: "gemini",
    title: "Gemini CLI",
    about: "Gemini CLI as it was measured (0.61.0).",
    tools: geminiTools,
    events: geminiEvents,
  },
  {
    dialect: qwen,
    name: "qwen",
    title: "Qwen Code",
    about: "Qwen Code as it was measured (0.24.4): Gemini CLI, with another discovery file.",
    tools: geminiTools,
    events: geminiEvents,
  },
  {
    dialect: copilot,
    name: "copilot",
    title: "Copilot CLI",
    about: "Copilot CLI as it was measured (1.0.102).",
    tools: copilotTools,
    events: copilotEvents,
  },
  {
    dialect: codex,
    name: "codex",
    title: "Codex CLI",
    about:
      "Codex CLI as it was measured (0.171.0). Its one request, in [frames of its own](../../clients/codex.md#request), is made a call of this tool.",
    tools: {
      "ide-context": called(
        "The agent, unasked, before each prompt while `/ide` is on.",
        measured("codex", "Request"),
        { args: { workspaceRoot: "/vault" } },
      ),
    },
    events: [],
  },
];
