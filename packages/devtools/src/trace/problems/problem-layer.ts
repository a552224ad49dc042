/** What a frame can be wrong in, from the bytes up: lowest first. */
export const problemLayers = ["encoding", "rpc", "mcp", "dialect", "state"] as const;

/** One of the {@link problemLayers}. */
export type ProblemLayer = (typeof problemLayers)[number];
