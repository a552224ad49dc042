// An editor and a person by script, and what an agent is expected to do. Runs wherever core does.

export type { JunitCase, JunitOutcome, JunitSuite } from "../junit.ts";
export { formatJunit } from "../junit.ts";
export type { DiffRules } from "./editor/diff-rules.ts";
export type { ScenarioIde } from "./editor/scenario-ide.ts";
export type { ScriptedAnswers } from "./editor/scripted-answers.ts";
export type { ScriptedEditor } from "./editor/scripted-editor.ts";
export type { ScriptedIdeOptions } from "./editor/scripted-ide.ts";
export { ScriptedIde } from "./editor/scripted-ide.ts";
export type { SeenEvent, SeenFact, SeenFrame, SeenLog } from "./editor/seen.ts";
export type { WorkspaceFiles } from "./editor/workspace-files.ts";
export { memoryFiles } from "./editor/workspace-files.ts";
export { scenarioLimits } from "./file/limits.ts";
export type {
  Ability,
  ActionOf,
  ActionStep,
  AgentActionOf,
  AgentStep,
  AgentVerb,
  ExpectationKind,
  ExpectationStep,
  NumberedStep,
  PersonAnswer,
  RepeatedLine,
  Scenario,
  ScenarioActions,
  ScenarioAgentActions,
  ScenarioCommands,
  ScenarioDialect,
  ScenarioExpectations,
  ScenarioHeader,
  ScenarioStep,
  TextEdit,
  TextRange,
  Verb,
} from "./file/model.ts";
export { scenarioDefaults, scenarioFiles } from "./file/model.ts";
export type { ScenarioIssue, ScenarioResult } from "./file/parse.ts";
export { createScenario, parseScenario } from "./file/parse.ts";
export type { TraceOmission } from "./from-trace/omissions.ts";
export type {
  ScenarioFromTrace,
  ScenarioFromTraceOptions,
  ScenarioText,
} from "./from-trace/scenario-from-trace.ts";
export { scenarioFromTrace, scenarioTextFromTrace } from "./from-trace/scenario-from-trace.ts";
export type { Mismatch, PathWords } from "./pattern/pattern.ts";
export { mismatches } from "./pattern/pattern.ts";
export { performStep } from "./play/actions.ts";
export type {
  MemoryContext,
  MemoryContextOptions,
  ScenarioComment,
  ScenarioContext,
  SimulatedEnds,
} from "./play/context.ts";
export { createMemoryContext, dropAll, notifyAll } from "./play/context.ts";
export type { PlayOptions } from "./play/play.ts";
export { playScenario } from "./play/play.ts";
export type { ScenarioFailure, ScenarioReport, StepResult } from "./play/report.ts";
export { describeEvent, describeStep } from "./play/words.ts";
