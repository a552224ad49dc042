// An editor and a person by script, and what an agent is expected to do. It runs wherever core does.

export type { JunitCase, JunitOutcome, JunitSuite } from "../junit.ts";
export { formatJunit } from "../junit.ts";
export type { MemoryContext, MemoryContextOptions, ScenarioContext } from "./context.ts";
export { createMemoryContext, dropAll, notifyAll } from "./context.ts";
export type { DiffRules } from "./diff-rules.ts";
export type {
  Ability,
  ActionStep,
  ExpectationKind,
  ExpectationStep,
  NumberedStep,
  PersonAnswer,
  Scenario,
  ScenarioActions,
  ScenarioDialect,
  ScenarioExpectations,
  ScenarioHeader,
  ScenarioStep,
  Verb,
} from "./model.ts";
export { scenarioDefaults } from "./model.ts";
export type { ScenarioIssue, ScenarioResult } from "./parse.ts";
export { createScenario, parseScenario, scenarioLimits } from "./parse.ts";
export type { Mismatch, PathWords } from "./pattern.ts";
export { mismatches } from "./pattern.ts";
export type { PlayOptions } from "./play.ts";
export { playScenario } from "./play.ts";
export type { ScenarioFailure, ScenarioReport, StepResult } from "./report.ts";
export type { ScriptedAnswers } from "./scripted-answers.ts";
export type { ScriptedEditor } from "./scripted-editor.ts";
export type { ScriptedIdeOptions } from "./scripted-ide.ts";
export { ScriptedIde } from "./scripted-ide.ts";
export type { SeenEvent, SeenFact, SeenFrame, SeenLog } from "./seen.ts";
export { describeEvent, describeStep } from "./words.ts";
export type { WorkspaceFiles } from "./workspace-files.ts";
export { memoryFiles } from "./workspace-files.ts";
