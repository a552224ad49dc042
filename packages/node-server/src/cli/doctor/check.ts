import type { Environment } from "../../directories.ts";
import type { EditorFile } from "../../discovery/editor-file.ts";
import type { EditorSearch, FoundEditor } from "../../discovery/find-editors.ts";

/** What one check has found. */
export interface Finding {
  readonly outcome: "ok" | "warning" | "failed" | "skipped";
  /** One line; names from outside stand in it as they are. */
  readonly detail: string;
  /** What the person can do, one step each. */
  readonly advice?: readonly string[];
}

/** What is looked at. */
export interface Scene {
  readonly env: Environment;
  /** Native, as it was asked for. */
  readonly cwd: string;
  readonly search: EditorSearch;
  /** Files that lead clients of the jetbrains dialect, and nobody else, to an editor. */
  readonly others: readonly EditorFile[];
  /** The lock files for the working directory, dead or alive, best first. */
  readonly matching: readonly EditorFile[];
  /** The editor that an agent would connect to. */
  readonly editor: FoundEditor | undefined;
}

/** One step on the way from the working directory to an editor that answers. */
export interface Check {
  readonly id: string;
  readonly title: string;
  /** It says nothing when that one has failed. */
  readonly needs?: string;
  run(scene: Scene): Promise<Finding>;
}

export function ok(detail: string): Finding {
  return { outcome: "ok", detail };
}

export function failed(detail: string, ...advice: readonly string[]): Finding {
  return { outcome: "failed", detail, advice };
}

/** Not the reason why nothing works, but worth a look. */
export function warning(detail: string, ...advice: readonly string[]): Finding {
  return { outcome: "warning", detail, advice };
}

export function skipped(detail: string): Finding {
  return { outcome: "skipped", detail };
}
