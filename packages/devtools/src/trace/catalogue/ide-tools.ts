import { claudeCode, type EditorHost } from "@idewire/core";
import { compileInput } from "@idewire/core/internal";
import { fileDiagnostics, range } from "./ide-events.ts";
import { list, open, type Shape, text } from "./shape.ts";

/** Facts about a tool beyond its own description. */
export interface ToolOrigin {
  /** Who calls it, and when. */
  readonly calledBy: string;
  /** Ids of the requirement manifest, or other sources in words. */
  readonly sources: readonly string[];
}

/** The arguments and the result of a tool of the claude-code dialect. */
export interface ToolFacts extends ToolOrigin {
  readonly name: string;
  readonly about: string;
  readonly input: Shape;
  readonly answer: ToolAnswer;
}

/** The texts of a tool's result. */
export interface ToolAnswer {
  /** In words. */
  readonly about: string;
  /** What the first text must match. */
  readonly word?: RegExp;
  /** After this first text there must be a second one. */
  readonly secondAfter?: string;
  /** The shape of the JSON in the first text. */
  readonly json?: Shape;
}

const EXTENSIONS =
  "the official editor extensions, as the PROTOCOL.md of coder/claudecode.nvim describes them";
const forExtensions: ToolOrigin = {
  calledBy:
    "No published agent calls it unasked or offers it to its model. It is for clients written for the official editor extensions.",
  sources: [EXTENSIONS],
};

/** The callers of the claude-code tools that agents call unasked, with the source. */
const claudeToolOrigins: Readonly<Record<string, ToolOrigin>> = {
  openDiff: {
    calledBy:
      "Claude Code, unasked, before an edit that needs a permission (mode `default`, called `manual` since 2.1.200, and `diffTool` `auto`), whether it is listed or not. It waits for hours, and writes the file itself.",
    sources: [
      "cli:diffs:open-diff-arguments",
      "cli:diffs:diff-rejected",
      "cli:diffs:tab-closed-accepts",
    ],
  },
  close_tab: {
    calledBy: "Claude Code, unasked, after every `openDiff`, regardless of its outcome.",
    sources: ["cli:diffs:close-tab-twice", EXTENSIONS],
  },
  closeAllDiffTabs: {
    calledBy: "Claude Code, unasked, at the start of every prompt.",
    sources: ["cli:tools:close-all-diffs"],
  },
  getDiagnostics: {
    calledBy:
      "Claude Code, unasked: of one file just before an approved edit, and of the workspace afterwards. It is the only tool that its model may call by itself.",
    sources: [
      "cli:diagnostics:baseline-call",
      "cli:diagnostics:workspace-call",
      "cli:diagnostics:diagnostics-shape",
    ],
  },
};

const success: Shape = { type: "boolean", description: "Whether it could be done" };
const outcome = (members: Readonly<Record<string, Shape>>): Shape =>
  open({ success, "message?": text("Why not"), ...members });
const selected = outcome({ "selection?": range, "text?": text(), "filePath?": text() });

const answers: Readonly<Record<string, ToolAnswer>> = {
  openDiff: {
    about:
      "FILE_SAVED and the text to write, or DIFF_REJECTED; TAB_CLOSED would count as accepted.",
    word: /^(FILE_SAVED|DIFF_REJECTED|TAB_CLOSED)$/,
    secondAfter: "FILE_SAVED",
  },
  close_tab: { about: "TAB_CLOSED, whether there was such a tab or not.", word: /^TAB_CLOSED$/ },
  closeAllDiffTabs: { about: "CLOSED_n_DIFF_TABS.", word: /^CLOSED_\d+_DIFF_TABS$/ },
  getDiagnostics: { about: "JSON: a list of files.", json: list(fileDiagnostics) },
  openFile: { about: "A sentence, or JSON if the file stays in the background." },
  getOpenEditors: {
    about: "JSON: the tabs.",
    json: open({ tabs: list(open({ uri: text(), "isActive?": success, "label?": text() })) }),
  },
  checkDocumentDirty: {
    about: "JSON: isDirty and isUntitled.",
    json: outcome({ "isDirty?": { type: "boolean" }, "isUntitled?": { type: "boolean" } }),
  },
  saveDocument: { about: "JSON: saved.", json: outcome({ "saved?": { type: "boolean" } }) },
  getCurrentSelection: { about: "JSON: the selection.", json: selected },
  getLatestSelection: { about: "JSON: the selection.", json: selected },
  getWorkspaceFolders: {
    about: "JSON: the folders.",
    json: outcome({ "folders?": list(open({ name: text(), uri: text(), path: text() })) }),
  },
};

let known: ReadonlyMap<string, ToolFacts> | undefined;

/** The tools of the claude-code dialect by name, as the dialect itself describes them. */
export function claudeTools(): ReadonlyMap<string, ToolFacts> {
  known ??= new Map(
    // No tool runs: the descriptions need no editor.
    claudeCode.createTools({} as EditorHost, "posix").map((tool) => {
      const { name, description: about = "" } = tool;
      const origin = claudeToolOrigins[name] ?? forExtensions;
      const answer = answers[name] ?? { about: "" };
      return [
        name,
        { name, about, input: compileInput(name, tool.input).jsonSchema, answer, ...origin },
      ];
    }),
  );
  return known;
}
