// An editor and an agent in one program, for pages and tests. Without DOM.

export { toScenarioContext } from "./simulated-context.ts";
export { Simulation, type SimulationOptions } from "./simulation.ts";
