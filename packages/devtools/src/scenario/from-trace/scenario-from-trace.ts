import { isObject, type ParseResult, parsed, refused } from "@idewire/core";
import { absolutePath, commonFolder, pathsIn } from "../../recorded-paths.ts";
import { frameMessages } from "../../trace/format/frame-messages.ts";
import type { TraceEvent } from "../../trace/format/trace-event.ts";
import type { Trace } from "../../trace/format/trace-file.ts";
import { type Redaction, type RedactOptions, redactTrace } from "../../trace/redaction/redact.ts";
import type { Scenario } from "../file/model.ts";
import { parseScenario } from "../file/parse.ts";
import { formatScenario } from "./format-scenario.ts";
import { InitialFiles } from "./initial-files.ts";
import { Omissions, type TraceOmission } from "./omissions.ts";
import { StepList } from "./step-list.ts";
import { TraceTranslator } from "./trace-translator.ts";
import { Translation } from "./translation.ts";
import { WorkspaceNames } from "./workspace-names.ts";

/** How a trace becomes a scenario. */
export interface ScenarioFromTraceOptions {
  /** The title of the scenario; `A recorded session` when left out. */
  readonly name?: string;
  /** The native path of the recorded workspace; the deepest folder of all files when left out. */
  readonly folder?: string;
  /** What is removed from the trace before anything else. */
  readonly redact?: Pick<RedactOptions, "homes" | "names">;
}

/** A scenario made from a trace. */
export interface ScenarioFromTrace {
  readonly scenario: Scenario;
  /** The same as a file: JSON Lines, the header first. */
  readonly text: string;
  /** The folder that was taken for the workspace, with `/` between names. */
  readonly folder: string;
  /** What of the trace the scenario does not say, in the order of the events. */
  readonly omissions: readonly TraceOmission[];
  /** What was replaced, as in a saved trace. */
  readonly redactions: readonly Redaction[];
}

/**
 * Makes the scenario that plays the editor's side of a recorded session: what the person did as
 * actions, what the agent sent as expectations. Files have the texts that the trace shows. Of several
 * agents that were connected at once, only the first is played.
 * @returns what the trace lacks, when no agent can be played against it
 */
export function scenarioFromTrace(
  recorded: Trace,
  { name = "A recorded session", folder, redact = {} }: ScenarioFromTraceOptions = {},
): ParseResult<ScenarioFromTrace> {
  const { trace, redactions } = redactTrace(recorded, redact);
  const found = folder === undefined ? findFolder(trace.events) : absolutePath(folder);
  if (found === undefined && folder !== undefined) {
    return refused("the folder must be an absolute path");
  }
  const workspace = (found ?? "/workspace").replace(/\/$/, "");
  const omissions = new Omissions();
  const onforeign = () => omissions.add("a path outside the workspace: any text is accepted");
  const parts = { steps: new StepList(), files: new InitialFiles(), omissions };
  const into = new Translation({ ...parts, names: new WorkspaceNames(workspace, onforeign) });
  const translator = new TraceTranslator(into);
  trace.events.forEach((event, at) => {
    omissions.moveTo({ n: event.n, line: at + 2 });
    translator.take(event);
  });
  if (!into.hadConnection) return refused("the trace has no connection of an agent");
  const text = formatScenario(into, { name, trace });
  const result = parseScenario(text);
  if (!result.ok) {
    const [first] = result.issues;
    return refused(`the scenario would be refused: line ${first?.line}: ${first?.issue}`);
  }
  const { list } = omissions;
  return parsed({ scenario: result.value, text, folder: workspace, omissions: list, redactions });
}

/** The deepest folder that holds the files of the editor; of those that agents name, without any. */
function findFolder(events: readonly TraceEvent[]): string | undefined {
  const byEditor: string[] = [];
  const byAgent: string[] = [];
  for (const event of events) {
    if (event.ev === "editor" && "path" in event.change) byEditor.push(event.change.path);
    if (event.ev !== "frame" || event.form !== undefined || event.cut !== undefined) continue;
    const own = event.dir === "ide>agent" ? byEditor : byAgent;
    for (const { params } of frameMessages(event.raw)) {
      if (isObject(params)) own.push(...pathsIn(params));
    }
  }
  return commonFolder(byEditor.length > 0 ? byEditor : byAgent);
}
