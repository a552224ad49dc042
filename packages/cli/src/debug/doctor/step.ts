import type { DoctorAdvice, DoctorStep } from "@idewire/devtools/internal";
import type {
  DoctorStepId,
  EditorAtPort,
  EditorFile,
  EditorSearch,
  OwnConnections,
} from "@idewire/node-server/internal";
import type { Environment } from "@idewire/node-server/internal/files";

/** The finding of a step; external names in it are not escaped. */
export type StepFinding = Omit<DoctorStep, "id" | "title">;

/** The discovery files of a family, and the agents that read them. */
export interface OtherFiles {
  readonly readers: string;
  readonly files: readonly EditorFile[];
}

/** The input of the steps. */
export interface DoctorContext {
  readonly env: Environment;
  /** Native, as requested. */
  readonly cwd: string;
  readonly search: EditorSearch;
  /** The files of other families, which Claude Code and opencode do not read. */
  readonly others: readonly OtherFiles[];
  /** The lock files for the working directory, live or stale, best first. */
  readonly matching: readonly EditorFile[];
  /** The editor that an agent would connect to. */
  readonly editor: EditorAtPort | undefined;
  /** Registers the doctor's own connections. */
  readonly own?: OwnConnections | undefined;
}

/** A step on the way from the working directory to an editor that answers. */
export interface StepDefinition {
  readonly id: DoctorStepId;
  readonly title: string;
  /** The step is skipped if that one has failed. */
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

/** Advice with a shell command. */
export function type(words: string, command: string): DoctorAdvice {
  return { words, command };
}

/** Advice in one line. */
export function formatAdvice({ words, command }: DoctorAdvice): string {
  return command === undefined ? words : `${words}: ${command}`;
}

function toAdvice(advice: DoctorAdvice | string): DoctorAdvice {
  return typeof advice === "string" ? { words: advice } : advice;
}

/** The finding with a function applied to every text. */
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
