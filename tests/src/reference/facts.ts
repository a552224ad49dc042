import type { Dialect } from "@idewire/core";
import { claudeCode, claudeCodeSpec, jetBrains, neovim } from "@idewire/core";
import type { DiffAnswer } from "@idewire/core/internal";
import { type ToolOrigin, claudeTools as toolsOfClaude } from "@idewire/devtools/internal";
import { agentDialects } from "./agent-facts.ts";
import { FILE, WORDS } from "./context.ts";
import {
  claudeCodeSpecEvents,
  claudeEvents,
  type EventFacts,
  jetBrainsEvents,
  neovimEvents,
} from "./event-facts.ts";

/** The documentation of a tool besides its own description. */
export interface ToolFacts extends ToolOrigin {
  readonly examples: readonly Example[];
}

export interface Example {
  readonly title?: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The person's answer to its diff. */
  readonly person?: DiffAnswer;
}

export interface DialectFacts {
  readonly dialect: Dialect;
  /** Its exported name. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly tools: Readonly<Record<string, ToolFacts>>;
  readonly events: readonly EventFacts[];
}

const SEED_CLIENTS = "Clients that were written after seed 002.";
const JETBRAINS_CLIENTS = "Clients of the JetBrains plugin as seed 000 has it.";

const edited = "# Beds\n\n- tomatoes\n- basil\n";
const diffArgs = {
  old_file_path: FILE,
  new_file_path: FILE,
  new_file_contents: "# Beds\n\n- tomatoes\n- peas\n",
  tab_name: "✻ [Claude Code] beds.md (1a2b3c) ⧉",
};
const { new_file_path: _, ...diffArgsOfSeed } = diffArgs;

function diffExamples(args: Example["args"]): readonly Example[] {
  return [
    {
      title: "Accepted, after the person has changed it",
      args,
      person: { kind: "accepted", text: edited },
    },
    { title: "Rejected, or closed without an answer", args, person: { kind: "rejected" } },
  ];
}

function tool(calledBy: string, sources: readonly string[], ...args: readonly Example["args"][]) {
  return { calledBy, sources, examples: args.map((each) => ({ args: each })) };
}

/** Core's facts about a tool of the claude-code dialect, with examples. */
function claudeTool(name: string, ...examples: readonly Example[]): ToolFacts {
  const { calledBy, sources } = toolsOfClaude().get(name) ?? { calledBy: "", sources: [] };
  return { calledBy, sources, examples };
}

const claudeTools: DialectFacts["tools"] = {
  openDiff: claudeTool("openDiff", ...diffExamples(diffArgs)),
  close_tab: claudeTool("close_tab", { args: { tab_name: diffArgs.tab_name } }),
  closeAllDiffTabs: claudeTool("closeAllDiffTabs", { args: {} }),
  getDiagnostics: claudeTool(
    "getDiagnostics",
    { title: "One file", args: { uri: `file://${FILE}` } },
    { title: "The workspace", args: {} },
  ),
  openFile: claudeTool(
    "openFile",
    {
      title: "To the front, with words selected",
      args: { filePath: FILE, startText: "tomatoes", endText: "beans" },
    },
    { title: "In the background", args: { filePath: FILE, makeFrontmost: false } },
  ),
  getOpenEditors: claudeTool("getOpenEditors", { args: {} }),
  checkDocumentDirty: claudeTool("checkDocumentDirty", { args: { filePath: FILE } }),
  saveDocument: claudeTool("saveDocument", { args: { filePath: FILE } }),
  getCurrentSelection: claudeTool("getCurrentSelection", { args: {} }),
  getLatestSelection: claudeTool("getLatestSelection", { args: {} }),
  getWorkspaceFolders: claudeTool("getWorkspaceFolders", { args: {} }),
};

const claudeCodeSpecTools: DialectFacts["tools"] = {
  openDiff: {
    calledBy: SEED_CLIENTS,
    sources: ["s2:open-diff-arguments", "s2:open-diff-accepted", "s2:open-diff-rejected"],
    examples: diffExamples(diffArgsOfSeed),
  },
  openFile: tool(
    SEED_CLIENTS,
    ["s2:open-file-arguments", "s2:open-file-ok", "s2:open-file-failed"],
    {
      filePath: FILE,
      makeFrontmost: true,
    },
  ),
  open_files: tool(SEED_CLIENTS, ["s2:open-files-arguments"], { file_paths: [FILE] }),
  reformat_file: tool(SEED_CLIENTS, ["s2:reformat-arguments"], { file_path: FILE }),
  close_tab: tool(SEED_CLIENTS, ["s2:close-tab-arguments"], { tab_name: "bread.md" }),
  get_all_opened_file_paths: tool(SEED_CLIENTS, ["s2:opened-paths"], {}),
  getDiagnostics: tool(SEED_CLIENTS, ["s2:get-diagnostics-arguments"], { uri: `file://${FILE}` }),
};

const jetBrainsTools: DialectFacts["tools"] = {
  open_file: tool(JETBRAINS_CLIENTS, ["s0:tool-open-file"], { file_path: FILE }),
  close_tab: tool(JETBRAINS_CLIENTS, ["s0:tool-close-tab"], { tab_name: "bread.md" }),
  list_opened_files: tool(JETBRAINS_CLIENTS, ["s0:tool-list-opened-files"], {}),
  reformat_file: tool(JETBRAINS_CLIENTS, ["s0:tool-reformat-file"], { file_path: FILE }),
  openDiff: {
    calledBy: JETBRAINS_CLIENTS,
    sources: ["s0:open-diff-schema", "s0:open-diff-accepted", "s0:open-diff-rejected"],
    examples: diffExamples({
      old_file_path: "garden/beds.md",
      new_file_contents: diffArgs.new_file_contents,
    }),
  },
  get_cursor_position: tool(JETBRAINS_CLIENTS, ["s0:tool-get-cursor"], {}),
  set_cursor_position: tool(JETBRAINS_CLIENTS, ["s0:tool-set-cursor"], {
    file_path: FILE,
    line: 2,
    column: 2,
  }),
  get_selection: tool(JETBRAINS_CLIENTS, ["s0:tool-get-selection"], {}),
  set_selection: tool(JETBRAINS_CLIENTS, ["s0:tool-set-selection"], {
    file_path: FILE,
    range: WORDS,
  }),
  get_diagnostics: tool(JETBRAINS_CLIENTS, ["s0:tool-get-diagnostics"], { file_path: FILE }),
};

/** Every dialect, in the order of the index. */
export const dialects: readonly DialectFacts[] = [
  {
    dialect: claudeCode,
    name: "claudeCode",
    title: "Claude Code",
    about:
      "The default: Claude Code as its command line was measured (2.1.330), and opencode, which speaks a part of it.",
    tools: claudeTools,
    events: claudeEvents,
  },
  {
    dialect: neovim,
    name: "neovim",
    title: "Neovim",
    about: "Claude Code as seed 001 wants a Neovim plugin to speak with it.",
    tools: claudeTools,
    events: neovimEvents,
  },
  {
    dialect: claudeCodeSpec,
    name: "claudeCodeSpec",
    title: "Claude Code, specification",
    about:
      "What seed 002 says of the Claude Code plugins, to the letter. It sends a JSON-RPC `ping` every 5 s and waits 3 s for the answer.",
    tools: claudeCodeSpecTools,
    events: claudeCodeSpecEvents,
  },
  {
    dialect: jetBrains,
    name: "jetBrains",
    title: "JetBrains",
    about: "The JetBrains plugin as seed 000 has it. Paths may be relative to the first folder.",
    tools: jetBrainsTools,
    events: jetBrainsEvents,
  },
  ...agentDialects,
];
