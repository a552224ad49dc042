import { evictOldest } from "../../../evict-oldest.ts";
import { isObject, type Params } from "../../../rpc/message.ts";
import type { ClientCache, ClientFeature } from "../feature.ts";

/** The methods whose results may be cached (MCP 2026-07-28, Server / Utilities / Caching). */
const CACHEABLE = /^(tools\/list|prompts\/list|resources\/(list|templates\/list|read))$/;
const MAX_KEPT = 1000;

interface Kept {
  readonly result: Params;
  readonly untilMs: number;
}

/** The public results of one server, for all its clients. */
type SharedResults = Map<string, Kept>;

/**
 * Stores the results of a server in memory for the time that it allows, until it notifies of a change: lists, and
 * resources that were read. Those of the scope `public` are shared by all clients with the same value, which may
 * act for different people; all others are used by one client only.
 */
export function resultCache(): ClientFeature {
  const shared: SharedResults = new Map();
  return { cache: { attach: () => new MemoryCache(shared) } };
}

class MemoryCache implements ClientCache {
  readonly #own: Map<string, Kept> = new Map();
  readonly #shared: SharedResults;

  constructor(shared: SharedResults) {
    this.#shared = shared;
  }

  keyOf(method: string, params: Params = {}): string | undefined {
    if (!CACHEABLE.test(method)) return undefined;
    const { _meta, ...rest } = params;
    return `${method} ${JSON.stringify(rest)}`;
  }

  get(key: string): Params | undefined {
    for (const results of [this.#own, this.#shared]) {
      const kept = results.get(key);
      if (kept !== undefined && kept.untilMs > performance.now()) return kept.result;
      results.delete(key);
    }
    return undefined;
  }

  set(key: string, result: Params): void {
    const { ttlMs, cacheScope } = result;
    for (const results of [this.#own, this.#shared]) results.delete(key);
    if (typeof ttlMs !== "number" || !(ttlMs > 0)) return;
    const results = cacheScope === "public" ? this.#shared : this.#own;
    results.set(key, { result, untilMs: performance.now() + ttlMs });
    evictOldest(results, MAX_KEPT);
  }

  changed(method: string, params: Params | undefined): void {
    const [, kind] = /^notifications\/(\w+)\/list_changed$/.exec(method) ?? [];
    const uri = method === "notifications/resources/updated" ? params?.["uri"] : undefined;
    if (kind === undefined && uri === undefined) return;
    for (const results of [this.#own, this.#shared]) {
      for (const key of results.keys()) {
        const isGone = isRead(key) ? isUnder(key, uri) : key.startsWith(`${kind}/`);
        if (isGone) results.delete(key);
      }
    }
  }
}

function isRead(key: string): boolean {
  return key.startsWith("resources/read ");
}

/** Whether the resource that was read is the one that has changed, or a part of it. */
function isUnder(key: string, uri: unknown): boolean {
  const params: unknown = JSON.parse(key.slice(key.indexOf(" ")));
  const read = isObject(params) ? params["uri"] : undefined;
  return typeof read === "string" && typeof uri === "string" && read.startsWith(uri);
}
