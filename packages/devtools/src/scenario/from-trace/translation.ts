import { absolutePath } from "../../recorded-paths.ts";
import type { TracedRequest } from "../../trace/conversation/conversation.ts";
import type { ActionStep, ExpectationStep } from "../file/model.ts";
import type { InitialFiles } from "./initial-files.ts";
import type { Omissions } from "./omissions.ts";
import type { StepList } from "./step-list.ts";
import type { WorkspaceNames } from "./workspace-names.ts";

/** A request of the agent that has no answer yet. */
export interface AgentCall {
  readonly args?: Readonly<Record<string, unknown>>;
  /** Its step in the scenario. */
  readonly step?: ExpectationStep;
  /** The step of the call of the same tool before it. */
  readonly previous?: ExpectationStep;
  /** The agent cancelled it, so that its answer is not the person's. */
  cancelled?: boolean;
}

/** The phase of the connection's agent; `busy` once it has called a tool. */
export type AgentPhase = "connecting" | "initialized" | "ready" | "busy";

/** A scenario under construction from a trace. */
export class Translation {
  readonly calls: Map<TracedRequest, AgentCall> = new Map();
  /** The newest call of each tool. */
  readonly lastCalls: Map<string, ExpectationStep> = new Map();
  /** Diffs answered by the person since diagnostics were last requested, by file. */
  readonly answered: Map<string, ActionStep> = new Map();
  /** The texts accepted by the person, by file, until the trace shows them written. */
  readonly accepted: Map<string, string> = new Map();
  phase: AgentPhase = "connecting";
  /** When the phase began. */
  phaseMs = 0;
  hadConnection = false;
  /** The tools that the recorded editor listed. */
  listedTools: ReadonlySet<string> | undefined;
  /** The diagnostics last sent to the agent, by file, as JSON. */
  readonly known: Map<string, string> = new Map();
  /** The name of the connected agent. */
  agent: string | undefined;

  readonly steps: StepList;
  readonly files: InitialFiles;
  readonly names: WorkspaceNames;
  readonly omissions: Omissions;

  constructor(parts: Pick<Translation, "steps" | "files" | "names" | "omissions">) {
    this.steps = parts.steps;
    this.files = parts.files;
    this.names = parts.names;
    this.omissions = parts.omissions;
  }

  enter(phase: AgentPhase, t: number): void {
    this.phase = phase;
    this.phaseMs = t;
  }

  /** Adds an action that agents notice only once they are ready for notifications. */
  notice(step: ActionStep, t: number): void {
    if (this.phase === "initialized") {
      this.steps.expect({ expect: "ready" }, t);
      this.enter("ready", t);
    }
    this.steps.act(step, t);
  }

  /** The name of a file of the workspace; undefined for any other file. */
  fileOf(path: unknown, what: string): string | undefined {
    const name = this.names.nameOf(path) ?? nameWithin(path);
    if (name === undefined) this.omissions.add(`${what}: the file is outside the workspace`);
    return name;
  }
}

/** A name within the workspace, as the playground sends it; real paths begin elsewhere. */
function nameWithin(path: unknown): string | undefined {
  if (typeof path !== "string" || absolutePath(path) !== undefined) return undefined;
  const isWithin = path !== "" && path.split("/").every((part) => !/^\.{0,2}$|[\\:\0]/.test(part));
  return isWithin ? path : undefined;
}
