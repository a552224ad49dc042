import type { PosixPath } from "@idewire/core";
import type { Clock } from "@idewire/core/rpc";
import type { InMemoryEditor } from "@idewire/core/testing";
import type { ActionEvent } from "../../trace/format/trace-event.ts";
import type { ContextWords } from "../matchers/compare-event.ts";
import type { DiffRules } from "./diff-rules.ts";
import type { ScriptedAnswers } from "./scripted-answers.ts";
import type { ScriptedEditor } from "./scripted-editor.ts";
import type { SeenLog } from "./seen.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";

/** The editor of a scenario, and the log of what agents do. */
export interface ScenarioIde extends ContextWords {
  readonly editor: InMemoryEditor;
  /** The diagnostics of an editor that are set by script; missing where it finds its own. */
  readonly scripted?: Pick<ScriptedEditor, "setDiagnostics" | "lookAtFiles">;
  readonly diffRules: DiffRules;
  readonly answers: ScriptedAnswers;
  readonly files: WorkspaceFiles;
  readonly log: SeenLog;
  readonly clock: Clock;
  /** The path of a file of the workspace; the name must have been checked. */
  pathOf(path: string): PosixPath;
  /** Records an action in the trace, as the cause of what follows. */
  record(who: ActionEvent["who"], text: string): void;
}
