import { isObject, type ParseResult, parsed, refused } from "@idewire/core/internal";
import { absolutePath, commonFolder, pathsIn } from "../../recorded-paths.ts";
import { frameMessages } from "../../trace/conversation/read-frame.ts";
import type { TraceEvent } from "../../trace/format/trace-event.ts";
import type { Trace } from "../../trace/format/trace-file.ts";
import { type RedactOptions, redactTrace } from "../../trace/redaction/redact.ts";
import type { Redaction } from "../../trace/redaction/stand-ins.ts";
import { scenarioLimits } from "../file/limits.ts";
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
  /** How the trace is redacted first. */
  readonly redact?: Pick<RedactOptions, "homes" | "names">;
}

/** A scenario made from a trace, as a text. */
export interface ScenarioText {
  /** The scenario as a file: JSON Lines, the header first. */
  readonly text: string;
  /** How many steps it has. */
  readonly steps: number;
  /** The folder used as the workspace, with `/` between names. */
  readonly folder: string;
  /** The events left out, in order. */
  readonly omissions: readonly TraceOmission[];
  /** The redactions, as in a saved trace. */
  readonly redactions: readonly Redaction[];
}

/** A scenario made from a trace. */
export interface ScenarioFromTrace extends Omit<ScenarioText, "steps"> {
  readonly scenario: Scenario;
}

/**
 * Makes the scenario that plays the editor's side of a recorded session: actions of the person, and
 * expectations for the messages of the agent. Files have the texts in the trace. Of several agents that
 * were connected at once, only the first is played.
 * @returns an issue when the trace has no agent
 */
export function scenarioFromTrace(
  recorded: Trace,
  options: ScenarioFromTraceOptions = {},
): ParseResult<ScenarioFromTrace> {
  const made = scenarioTextFromTrace(recorded, options);
  if (!made.ok) return made;
  const { steps: _, ...rest } = made.value;
  const result = parseScenario(rest.text);
  if (result.ok) return parsed({ scenario: result.value, ...rest });
  const [first] = result.issues;
  return refused(`the scenario would be refused: line ${first?.line}: ${first?.issue}`);
}

/** As {@link scenarioFromTrace}, without the parser of scenarios: for a page, which only saves the text. */
export function scenarioTextFromTrace(
  recorded: Trace,
  { name = "A recorded session", folder, redact = {} }: ScenarioFromTraceOptions = {},
): ParseResult<ScenarioText> {
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
  const { textLength, steps: maxSteps } = scenarioLimits;
  if (text.length > textLength)
    return refused(`the scenario would exceed ${textLength} characters`);
  const steps = text.trimEnd().split("\n").length - 1;
  if (steps > maxSteps) return refused(`the scenario would have ${steps} steps, over ${maxSteps}`);
  return parsed({ text, steps, folder: workspace, omissions: omissions.list, redactions });
}

/** The folder of the names that the editor uses, if any; else the deepest common folder of its paths. */
function findFolder(events: readonly TraceEvent[]): string | undefined {
  const names = new Set<string>();
  const byEditor: string[] = [];
  const byAgent: string[] = [];
  for (const event of events) {
    if (event.ev === "editor" && "path" in event.change) {
      const { path } = event.change;
      if (absolutePath(path) === undefined) names.add(path);
      else byEditor.push(path);
    }
    if (event.ev !== "frame" || event.form !== undefined || event.cut !== undefined) continue;
    const own = event.dir === "ide>agent" ? byEditor : byAgent;
    for (const { params } of frameMessages(event.raw)) {
      if (isObject(params)) own.push(...pathsIn(params));
    }
  }
  if (names.size > 0) return folderOfNames(names, [...byEditor, ...byAgent]);
  return commonFolder(byEditor.length > 0 ? byEditor : byAgent);
}

/** The most frequent prefix of file names in paths: the playground names files within the workspace. */
function folderOfNames(names: ReadonlySet<string>, paths: readonly string[]): string | undefined {
  const votes = new Map<string, number>();
  for (const path of new Set(paths)) {
    const parts = path.split("/");
    const at = parts.findIndex((_, index) => index > 0 && names.has(parts.slice(index).join("/")));
    if (at < 0) continue;
    const folder = parts.slice(0, at).join("/");
    votes.set(folder, (votes.get(folder) ?? 0) + 1);
  }
  return [...votes].sort(([, a], [, b]) => b - a)[0]?.[0];
}
