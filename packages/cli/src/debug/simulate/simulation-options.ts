import type { Scenario } from "@idewire/devtools/scenario";

/** What commander gives. */
export interface SimulateFlags {
  readonly json?: true;
  readonly junit?: string;
  readonly record?: string;
  readonly keepHome?: true;
}

/** What the command was asked for. */
export interface RunSimulationOptions {
  readonly scenario: Scenario;
  /** Where the header's `workspace` starts from. */
  readonly base: string;
  /** The scenario's file name. */
  readonly file: string;
  /** The agent's command; empty when the agent is started elsewhere. */
  readonly command: readonly string[];
  readonly flags: SimulateFlags;
}
