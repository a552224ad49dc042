/** How long a client may keep a result, and for whom (MCP 2026-07-28, Server / Utilities / Caching). */
export interface CacheHint {
  /** In milliseconds; 0 for not at all. */
  readonly ttlMs: number;
  /** Whether it may serve other clients: only if it is the same for all. */
  readonly cacheScope: "public" | "private";
}

const cacheable = [
  "server/discover",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
] as const;

/** The methods whose results have a hint. */
export type CacheableMethod = (typeof cacheable)[number];

/** The hints by method; a resource's own hint takes precedence. */
export type CacheHints = Partial<Readonly<Record<CacheableMethod, CacheHint>>>;

export const defaultHint: CacheHint = { ttlMs: 0, cacheScope: "private" };

export function isCacheable(method: string): method is CacheableMethod {
  return cacheable.some((known) => known === method);
}
