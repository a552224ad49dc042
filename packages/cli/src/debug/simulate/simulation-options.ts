import type { Scenario } from "@idewire/devtools/scenario";

/** As parsed by commander. */
export interface SimulateFlags {
  readonly json?: true;
  readonly junit?: string;
  readonly record?: string;
  readonly keepHome?: true;
}

/** The options of the command. */
export interface RunSimulationOptions {
  readonly scenario: Scenario;
  /** The base of the header's `workspace`. */
  readonly base: string;
  /** The scenario's file name. */
  readonly file: string;
  /** The agent's command; empty if the agent is started elsewhere. */
  readonly command: readonly string[];
  readonly flags: SimulateFlags;
}
