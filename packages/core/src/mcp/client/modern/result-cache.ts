import { isObject, type Params } from "../../../rpc/message.ts";

/** The methods whose results may be kept (MCP 2026-07-28, Server / Utilities / Caching). */
const CACHEABLE = /^(tools\/list|prompts\/list|resources\/(list|templates\/list|read))$/;
const MAX_KEPT = 1000;

interface Kept {
  readonly result: Params;
  readonly untilMs: number;
}

/**
 * The results that a server lets one client keep. It serves nobody else, so that private ones may be kept
 * like public ones.
 */
export class ResultCache {
  readonly #kept = new Map<string, Kept>();

  /** The key of a request; undefined for one whose result is not kept. */
  keyOf(method: string, params: Params = {}): string | undefined {
    if (!CACHEABLE.test(method)) return undefined;
    const { _meta, ...rest } = params;
    return `${method} ${JSON.stringify(rest)}`;
  }

  get(key: string): Params | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    if (kept.untilMs > performance.now()) return kept.result;
    this.#kept.delete(key);
    return undefined;
  }

  /** Keeps a result for as long as it says, from now on. */
  set(key: string, result: Params): void {
    const { ttlMs } = result;
    this.#kept.delete(key);
    if (typeof ttlMs !== "number" || !(ttlMs > 0)) return;
    this.#kept.set(key, { result, untilMs: performance.now() + ttlMs });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** Forgets what a notification says has changed. */
  changed(method: string, params: Params | undefined): void {
    const [, kind] = /^notifications\/(\w+)\/list_changed$/.exec(method) ?? [];
    const uri = method === "notifications/resources/updated" ? params?.["uri"] : undefined;
    for (const key of this.#kept.keys()) {
      const isOfList = kind !== undefined && key.startsWith(`${kind}/`) && !isRead(key);
      if (isOfList || (uri !== undefined && isRead(key) && isUnder(key, uri))) {
        this.#kept.delete(key);
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
