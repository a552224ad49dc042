/** The layers of problems, lowest first. */
export const problemLayers = ["encoding", "rpc", "mcp", "dialect", "state"] as const;

/** One of the {@link problemLayers}. */
export type ProblemLayer = (typeof problemLayers)[number];
