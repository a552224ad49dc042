// Scripted editors and persons, with expectations about agents. Runs wherever core does.

export type { Scenario, ScenarioHeader, ScenarioStep } from "./file/model.ts";
export {
  createScenario,
  parseScenario,
  type ScenarioIssue,
  type ScenarioResult,
} from "./file/parse.ts";
export {
  type ScenarioFromTrace,
  type ScenarioFromTraceOptions,
  scenarioFromTrace,
} from "./from-trace/scenario-from-trace.ts";
export {
  createMemoryContext,
  type MemoryContext,
  type MemoryContextOptions,
  type ScenarioContext,
} from "./play/context.ts";
export { type PlayOptions, playScenario } from "./play/play.ts";
export type { ScenarioFailure, ScenarioReport, StepResult } from "./play/report.ts";
