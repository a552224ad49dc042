// For authors of agents: an editor and a person by script, in a test or as a step of a build.

export type { SimulatedEnv, SimulatedIde, SimulateIdeOptions } from "./simulate-ide.ts";
export { simulateIde } from "./simulate-ide.ts";
