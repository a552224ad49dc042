// An editor and an agent in one program, for pages and tests. Without DOM.

export type { BreakpointOptions, HeldFrame } from "./breakpoint.ts";
export { Breakpoint } from "./breakpoint.ts";
export type { SimulatedPortOptions } from "./check-port.ts";
export { createSimulatedPort } from "./check-port.ts";
export { checkSample } from "./check-sample.ts";
export type { ComparisonLine } from "./comparison-lines.ts";
export { toComparisonLines } from "./comparison-lines.ts";
export type {
  ComparedAction,
  ComparedFrame,
  DialectView,
} from "./dialect-comparison.ts";
export { compareAction, compareDialects, comparedActions } from "./dialect-comparison.ts";
export type { ReplayedReview, ReplayState } from "./replay.ts";
export { Replay } from "./replay.ts";
export type { ProposalEnd, ProposedChange, SimulatedAgentOptions } from "./simulated-agent.ts";
export { SimulatedAgent } from "./simulated-agent.ts";
export { toScenarioContext } from "./simulated-context.ts";
export type { SimulatedWire, SimulatedWireOptions } from "./simulated-wire.ts";
export { createSimulatedWire } from "./simulated-wire.ts";
export type { ConnectAgentOptions, SimulationOptions } from "./simulation.ts";
export { Simulation } from "./simulation.ts";
