// For authors of agents: a scripted editor and person, for a test or a build step.

export type { SimulatedEnv, SimulatedIde, SimulateIdeOptions } from "./simulate-ide.ts";
export { simulateIde } from "./simulate-ide.ts";
