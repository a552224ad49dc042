/** What a frame can be wrong in, from the bytes up. */
export type ProblemLayer = "encoding" | "rpc" | "mcp" | "dialect" | "state";

/** The layers, lowest first. */
export const problemLayers: readonly ProblemLayer[] = [
  "encoding",
  "rpc",
  "mcp",
  "dialect",
  "state",
];
