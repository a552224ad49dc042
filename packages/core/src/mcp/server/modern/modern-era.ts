import { IdewireError } from "../../../errors.ts";
import type { Call } from "../../../rpc/call.ts";
import { ErrorAnswer, isObject, methodNotFound, type Params } from "../../../rpc/message.ts";
import { DISCOVER, LISTEN, SERVER_INFO } from "../../modern-keys.ts";
import { Method } from "../../protocol.ts";
import { modernRevision } from "../../versions.ts";
import { type CacheableMethod, type CacheHint, defaultHint, isCacheable } from "../cache-hints.ts";
import { callTool } from "../call-tool.ts";
import type { RequestSource } from "../server-connection.ts";
import type { ModernServer, ServerDefinition } from "../server-options.ts";
import { ModernCaller } from "./modern-caller.ts";
import { hasModernMeta, parseRequestMeta, unsupportedVersion } from "./request-meta.ts";
import { Rounds } from "./rounds.ts";
import { Subscriptions } from "./subscriptions.ts";

/**
 * The modern era of MCP, 2026-07-28: each request carries its client's revision and capabilities, and nothing is
 * kept between requests. Handlers that ask run again with the answers.
 */
export class AttachedModernEra<Context> implements ModernServer<Context> {
  readonly #server: ServerDefinition<Context>;
  readonly #rounds: Rounds;
  readonly #subscriptions: Subscriptions;
  /** The `_meta` of every result; made once the server has all its features. */
  #named: Params | undefined;

  /** @throws IdewireError `invalid-argument` for unusable state keys */
  constructor(server: ServerDefinition<Context>) {
    const { stateKeys: keys, stateTtlMs: ttlMs, maxSubscriptions = 1000 } = server.options;
    this.#server = server;
    this.#rounds = new Rounds({
      ...(keys !== undefined && { keys }),
      ...(ttlMs !== undefined && { ttlMs }),
    });
    this.#subscriptions = new Subscriptions(server, maxSubscriptions);
  }

  owns(call: Call): boolean {
    return call.method === DISCOVER || call.method === LISTEN || hasModernMeta(call);
  }

  handle(call: Call, source: RequestSource<Context>): unknown {
    if (call.id === undefined) return undefined;
    // With the metadata of this era it is an unknown method.
    if (call.method === Method.Initialize && !hasModernMeta(call))
      throw unsupportedVersion(call.params?.["protocolVersion"]);
    const caller = new ModernCaller(this.#server, source, parseRequestMeta(call));
    call.owner = caller;
    if (call.method === Method.ToolsList) {
      const finish = (list: object) => this.#complete(call.method, list);
      return this.#server.tools.list(call, caller, finish);
    }
    const result = this.#dispatch(call, caller, source);
    return result instanceof Promise
      ? result.then((late) => this.#complete(call.method, late))
      : this.#complete(call.method, result);
  }

  hasListeners(method: string, params: Params | undefined): boolean {
    return this.#subscriptions.subscribersOf(method, params).length > 0;
  }

  changed(method: string, params: Params | undefined): void {
    this.#subscriptions.changed(method, params);
  }

  endSubscriptions(): void {
    this.#subscriptions.end();
  }

  #dispatch(call: Call, caller: ModernCaller<Context>, source: RequestSource<Context>): unknown {
    switch (call.method) {
      case DISCOVER:
        return this.#discover();
      case LISTEN:
        return this.#subscriptions.listen(call, caller, source);
      case Method.ToolsCall:
        return this.#rounds.run(call, caller, () => callTool(this.#server, caller, call));
      case "prompts/get":
      case "resources/read":
        return this.#rounds.run(call, caller, () => this.#byFeature(call, caller));
      default:
        return this.#byFeature(call, caller);
    }
  }

  #byFeature(call: Call, caller: ModernCaller<Context>): unknown {
    return this.#server.handlerOf(call)?.(call, caller) ?? methodNotFound(call.method);
  }

  #discover(): object {
    const { instructions } = this.#server.options;
    return {
      supportedVersions: [modernRevision],
      capabilities: this.#server.describe(modernRevision).capabilities,
      ...(instructions !== undefined && { instructions }),
    };
  }

  /** A result with the members that all results of this era have. */
  #complete(method: string, result: unknown): unknown {
    if (result instanceof ErrorAnswer) return result;
    if (!isObject(result)) {
      throw new IdewireError("invalid-argument", `The result of ${method} is not an object`);
    }
    this.#named ??= { [SERVER_INFO]: this.#server.describe(modernRevision).serverInfo };
    const meta = isObject(result["_meta"]) ? result["_meta"] : undefined;
    const isList = isCacheable(method) && result["resultType"] === undefined;
    return {
      resultType: "complete",
      ...(isList && this.#hintOf(method)),
      ...result,
      _meta: { ...this.#named, ...meta },
    };
  }

  /** A list that differs between callers is never cached for other callers. */
  #hintOf(method: CacheableMethod): CacheHint {
    const { options, tools } = this.#server;
    const hint = { ...defaultHint, ...options.caching?.[method] };
    const isPrivate = method === Method.ToolsList && tools.hasVisibility;
    return isPrivate ? { ...hint, cacheScope: "private" } : hint;
  }
}
