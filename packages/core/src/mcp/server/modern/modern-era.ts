import { IdewireError } from "../../../errors.ts";
import type { Call } from "../../../rpc/call.ts";
import { ErrorAnswer, isObject, methodNotFound, type Params } from "../../../rpc/message.ts";
import { DISCOVER, LISTEN, SERVER_INFO } from "../../modern-keys.ts";
import { Method } from "../../protocol.ts";
import { invalidParams } from "../../refusals.ts";
import { modernRevision } from "../../versions.ts";
import { type CacheHints, defaultHint, isCacheable } from "../cache-hints.ts";
import { callTool } from "../call-tool.ts";
import type { RequestSource } from "../server-connection.ts";
import type { ModernEra, ModernServer, ServerDefinition } from "../server-options.ts";
import { type HandlerRounds, ModernCaller } from "./modern-caller.ts";
import { hasModernMeta, parseRequestMeta, unsupportedVersion } from "./request-meta.ts";
import { resultOf, settle } from "./settle.ts";
import { Subscriptions } from "./subscriptions.ts";

export interface ModernEraOptions {
  /**
   * Lets handlers ask their clients, outside tasks: `sealedRequestState()`. Without it a question is refused
   * with `unreachable`.
   */
  readonly requestState?: HandlerRounds;
  /** How many streams of `subscriptions/listen` there may be at once; 1000 by default, 0 for none. */
  readonly maxSubscriptions?: number;
  /** How long clients may keep lists; by default not at all. */
  readonly caching?: CacheHints;
}

/**
 * The modern era of MCP, 2026-07-28, for the option `eras` of a server: each request says what its client
 * is and can, and nothing is kept between requests. Handlers that ask run again with the answers.
 */
export function modernEra(options: ModernEraOptions = {}): ModernEra {
  return { attach: (server) => new AttachedModernEra(server, options) };
}

class AttachedModernEra<Context> implements ModernServer<Context> {
  readonly #server: ServerDefinition<Context>;
  readonly #caching: CacheHints;
  readonly #rounds: HandlerRounds | undefined;
  readonly #subscriptions: Subscriptions;
  /** What every result's `_meta` says; made once the server has all its features. */
  #named: Params | undefined;

  constructor(
    server: ServerDefinition<Context>,
    { requestState, maxSubscriptions = 1000, caching = {} }: ModernEraOptions,
  ) {
    this.#server = server;
    this.#caching = caching;
    this.#rounds = requestState;
    this.#subscriptions = new Subscriptions(server, maxSubscriptions);
  }

  owns(call: Call): boolean {
    return call.method === DISCOVER || call.method === LISTEN || hasModernMeta(call);
  }

  handle(call: Call, source: RequestSource<Context>): unknown {
    if (call.id === undefined) return undefined;
    // With the metadata of this era it is a method like any other that there is not.
    if (call.method === Method.Initialize && !hasModernMeta(call))
      throw unsupportedVersion(call.params?.["protocolVersion"]);
    const caller = new ModernCaller(this.#server, source, parseRequestMeta(call));
    call.owner = caller;
    if (call.method === Method.ToolsList) {
      const finish = (list: object) => this.#complete(call.method, list);
      return this.#server.toolList(modernRevision, call.params?.["cursor"], finish);
    }
    const result = this.#dispatch(call, caller, source);
    return result instanceof Promise
      ? result.then((late) => this.#complete(call.method, late))
      : this.#complete(call.method, result);
  }

  isHeard(method: string, params: Params | undefined): boolean {
    return this.#subscriptions.hearersOf(method, params).length > 0;
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
        return this.#run(call, caller, () => callTool(this.#server, caller, call));
      case "prompts/get":
      case "resources/read":
        return this.#run(call, caller, () => this.#byFeature(call, caller));
      default:
        return this.#byFeature(call, caller);
    }
  }

  #run(call: Call, caller: ModernCaller<Context>, handler: () => unknown): unknown {
    if (this.#rounds !== undefined) return this.#rounds.run(call, caller, handler);
    if (call.params?.["requestState"] === undefined) return settle(caller, handler, resultOf);
    throw invalidParams("requestState: this server has issued none: send the request without");
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

  /** A result with the members that each has. */
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
      ...(isList && { ...defaultHint, ...this.#caching[method] }),
      ...result,
      _meta: { ...this.#named, ...meta },
    };
  }
}
