import type { DoctorAdvice, DoctorStep } from "@idewire/devtools/internal";
import type { FoundEditor } from "@idewire/node-server";
import type {
  DoctorStepId,
  EditorFile,
  EditorSearch,
  OwnConnections,
} from "@idewire/node-server/internal";
import type { Environment } from "@idewire/node-server/internal/files";

/** What one step has found; names from outside stand in it as they are. */
export type StepFinding = Omit<DoctorStep, "id" | "title">;

/** What is looked at. */
export interface DoctorContext {
  readonly env: Environment;
  /** Native, as it was asked for. */
  readonly cwd: string;
  readonly search: EditorSearch;
  /** Files that lead only clients of the jetbrains dialect to an editor. */
  readonly others: readonly EditorFile[];
  /** The lock files for the working directory, dead or alive, best first. */
  readonly matching: readonly EditorFile[];
  /** The editor that an agent would connect to. */
  readonly editor: FoundEditor | undefined;
  /** Remembers which connections are the doctor's. */
  readonly own?: OwnConnections | undefined;
}

/** One step on the way from the working directory to an editor that answers. */
export interface StepDefinition {
  readonly id: DoctorStepId;
  readonly title: string;
  /** It says nothing when that one has failed. */
  readonly needs?: DoctorStepId;
  run(context: DoctorContext): Promise<StepFinding>;
}

export function ok(detail: string): StepFinding {
  return { outcome: "ok", detail };
}

export function failed(detail: string, ...advice: readonly (DoctorAdvice | string)[]): StepFinding {
  return { outcome: "failed", detail, advice: advice.map(toAdvice) };
}

/** Not a failure, but possibly a problem. */
export function warning(
  detail: string,
  ...advice: readonly (DoctorAdvice | string)[]
): StepFinding {
  return { outcome: "warning", detail, advice: advice.map(toAdvice) };
}

export function skipped(detail: string): StepFinding {
  return { outcome: "skipped", detail };
}

/** A step that a shell can take. */
export function type(words: string, command: string): DoctorAdvice {
  return { words, command };
}

/** A step in one line. */
export function formatAdvice({ words, command }: DoctorAdvice): string {
  return command === undefined ? words : `${words}: ${command}`;
}

function toAdvice(advice: DoctorAdvice | string): DoctorAdvice {
  return typeof advice === "string" ? { words: advice } : advice;
}

/** The same finding, every text of it changed. */
export function mapTexts<T extends StepFinding>(finding: T, change: (text: string) => string): T {
  const { advice } = finding;
  return {
    ...finding,
    detail: change(finding.detail),
    ...(advice && {
      advice: advice.map(({ words, command }) => ({
        words: change(words),
        ...(command !== undefined && { command: change(command) }),
      })),
    }),
  };
}
