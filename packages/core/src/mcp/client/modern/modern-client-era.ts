import { IdewireError, RpcError, RpcErrorCode } from "../../../errors.ts";
import { badResult } from "../../../rpc/bad-result.ts";
import { isObject, type Params } from "../../../rpc/message.ts";
import type { Peer } from "../../../rpc/peer.ts";
import type { RequestOptions } from "../../../rpc/request-options.ts";
import { DISCOVER } from "../../modern-keys.ts";
import { type InitializeResult, Method, type ToolDescription } from "../../protocol.ts";
import { isModernError, mismatch } from "../../refusals.ts";
import { modernRevision } from "../../versions.ts";
import type {
  Asking,
  ClientCache,
  ClientDefinition,
  ClientRequest,
  ModernClient,
  ModernClientEra,
  ResultCache,
} from "../client-era.ts";
import { waitWithin } from "../wait-within.ts";
import { fallBack, parseDiscovery, supportedBy } from "./discovery.ts";
import { type HeaderTransport, isHeaderTransport } from "./header-transport.ts";
import { metaOf } from "./request-meta.ts";

export interface ModernClientEraOptions {
  /**
   * How long a server on stdio or a socket may be silent before it counts as one of the legacy era;
   * 5000 by default. Over HTTP silence says nothing, nor does it to a client of the modern era alone.
   */
  readonly probeTimeoutMs?: number;
  /** What keeps the results that servers let clients keep: `resultCache()`; none by default. */
  readonly cache?: ResultCache;
}

/** How often one request may be answered by questions. */
const MAX_ROUNDS = 10;
/** How often a request whose answer was lost is sent. */
const MAX_ATTEMPTS = 3;
/** The methods whose answer may be a question (Basic / Patterns, MRTR). */
const ASKING = /^(tools\/call|prompts\/get|resources\/read)$/;

/** What is known of a server; shared by all clients that have the same value of the era. */
interface KnownServer {
  era: "legacy" | "modern" | "silent" | undefined;
}

/**
 * The modern era of MCP, 2026-07-28, for the option `eras` of a client: it asks the server by
 * `server/discover` what it speaks, and falls back to `initialize` where the server does not know the
 * question. A refused login and a failing server are no answer to it. The verdict is kept in the value:
 * use one for each server, for all its clients.
 */
export function modernClientEra(options: ModernClientEraOptions = {}): ModernClientEra {
  const server: KnownServer = { era: undefined };
  return { attach: (client) => new AttachedClientEra(client, server, options) };
}

class AttachedClientEra implements ModernClient {
  hasUpset = false;
  readonly #client: ClientDefinition;
  readonly #known: KnownServer;
  readonly #probeTimeoutMs: number;
  /** Set where parts of a request are repeated in headers. */
  #headers: HeaderTransport | undefined;
  /** Those that have been listed. */
  readonly #tools = new Map<string, ToolDescription>();
  readonly #cache: ClientCache | undefined;
  /** Whether the server was one of the modern era when it was asked last. */
  #isModern = false;
  #greeting: Promise<void> | undefined;

  constructor(
    client: ClientDefinition,
    server: KnownServer,
    { probeTimeoutMs = 5000, cache }: ModernClientEraOptions,
  ) {
    this.#client = client;
    this.#known = server;
    this.#probeTimeoutMs = probeTimeoutMs;
    this.#cache = cache?.attach();
  }

  async greet(
    peer: Peer,
    initialize: () => Promise<InitializeResult>,
    request?: RequestOptions,
  ): Promise<InitializeResult> {
    this.hasUpset = false;
    const { hasLegacy } = this.#client;
    const isKnown = hasLegacy && (this.#known.era ?? "modern") !== "modern";
    const found = isKnown ? undefined : await this.#probe(peer, request);
    if (found !== undefined) return found;
    if (!hasLegacy) throw mismatch("the legacy era only", [modernRevision]);
    try {
      const server = await initialize();
      this.#isModern = false;
      return server;
    } catch (error) {
      // A server may have been replaced since it was asked, or have been slow to start.
      const isOpen = isAnswer(error) && (isKnown || this.#known.era === "silent");
      const late = isOpen ? await this.#probe(peer, request, Infinity) : undefined;
      if (late === undefined) throw error;
      return late;
    }
  }

  notice(method: string, params: Params | undefined): void {
    this.#cache?.changed(method, params);
  }

  async #probe(
    peer: Peer,
    request: RequestOptions = {},
    // Silence says nothing where there is no other era to fall back to.
    patienceMs: number = this.#client.hasLegacy ? this.#probeTimeoutMs : Infinity,
  ): Promise<InitializeResult | undefined> {
    const { transport } = peer;
    const headers = isHeaderTransport(transport) ? transport : undefined;
    if (headers) headers.inputSchemaOf = (name) => this.#tools.get(name)?.inputSchema;
    this.#headers = headers;
    const { timeoutMs = 60_000 } = request;
    const isProbe = this.#known.era !== "modern" && !headers && patienceMs < timeoutMs;
    const options = { ...request, timeoutMs: isProbe ? patienceMs : timeoutMs, silent: true };
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await peer.request(DISCOVER, { _meta: metaOf(this.#client) }, options);
        return this.#settle(parseDiscovery(answer, peer));
      } catch (error) {
        const known = supportedBy(error);
        // Some refuse the revision that they name.
        if (attempt === 1 && known?.includes(modernRevision) === true) continue;
        if (known !== undefined) return this.#settle(fallBack(known));
        return this.#judge(error, isProbe);
      }
    }
  }

  #settle(found: InitializeResult | undefined): InitializeResult | undefined {
    this.#known.era = found === undefined ? "legacy" : "modern";
    if (found !== undefined) this.#isModern = true;
    return found;
  }

  /** What a failure of the question says of the server, keyed on no single code. */
  #judge(error: unknown, isProbe: boolean): undefined {
    if (isModernError(error)) throw error;
    const code = error instanceof IdewireError ? error.code : undefined;
    if (isAnswer(error)) this.#known.era = "legacy";
    else if (code === "timeout" && isProbe) this.#known.era = "silent";
    else {
      // Some servers end at a request before `initialize`.
      this.hasUpset = code === "closed" && this.#known.era === undefined && isProbe;
      if (this.hasUpset) this.#known.era = "silent";
      throw error;
    }
  }

  async request(request: ClientRequest): Promise<unknown> {
    const { method, params, options } = request;
    const key = this.#cache?.keyOf(method, params);
    const kept = key && options?.refresh !== true && this.#cache?.get(key);
    if (kept) return this.#complete(request, kept);
    let retry: Params | undefined;
    for (let round = 0; ; round += 1) {
      const result = await this.#send(request, retry);
      if (!isObject(result)) throw badResult("server", method, result, this.#client);
      const { resultType = "complete" } = result;
      if (resultType === "complete") {
        // What depends on answers is not that of the request alone.
        if (key && retry === undefined) this.#cache?.set(key, result);
        return this.#complete(request, result);
      }
      if (resultType !== "input_required" || !ASKING.test(method)) {
        const finished = this.#client.finish(String(resultType), result, request);
        if (finished !== undefined) return finished;
        throw badResult("server", method, { resultType }, this.#client);
      }
      if (round === MAX_ROUNDS) {
        const text = `${method}: the server still asks after ${MAX_ROUNDS} rounds`;
        throw new IdewireError("protocol", text);
      }
      retry = await this.#answer({ method, result, signal: options?.signal });
    }
  }

  /** What the next request says in addition, to a server that has asked (Basic / Patterns, MRTR). */
  async #answer(asking: Asking): Promise<Params> {
    const { method, result } = asking;
    const { inputRequests, requestState } = result;
    const { answerAll } = this.#client;
    if (inputRequests === undefined) {
      if (requestState === undefined) throw badResult("server", method, result, this.#client);
      return { requestState };
    }
    if (answerAll === undefined) {
      const text = `${method}: the server asks what this client has not announced`;
      throw new IdewireError("protocol", text);
    }
    // A state that is undefined is not sent.
    return { requestState, inputResponses: await answerAll(asking, inputRequests) };
  }

  /** @param retry what the request says in addition */
  async #send(request: ClientRequest, retry: Params | undefined): Promise<unknown> {
    const { method, params, options } = request;
    // What the server is says that it is there.
    const name = method === Method.Ping ? DISCOVER : method;
    const send = (peer: Peer) => {
      const full = { ...params, ...retry, _meta: metaOf(this.#client, params) };
      return peer.request(name, full, options);
    };
    let lost: unknown;
    for (let attempt = 1; ; attempt += 1) {
      const wasModern = this.#isModern;
      try {
        return await this.#client.send(request, send);
      } catch (caught) {
        // That nothing was carried out holds for this attempt alone.
        const error = lost && hasCode(caught, "unreachable") ? lost : caught;
        const isLast = attempt === MAX_ATTEMPTS;
        // Those of the tool's newest schema may be the headers that the server wants.
        const isStale = error instanceof RpcError && error.code === RpcErrorCode.HeaderMismatch;
        if (isStale && this.#headers && method === Method.ToolsCall && attempt === 1) {
          const { signal, timeoutMs } = options ?? {};
          await this.#client.listTools({ signal, timeoutMs, refresh: true });
        } else if (!isLast && this.#headers && isOfLegacy(error)) {
          // What the legacy server refuses is not sent to it again.
          if (!wasModern || !(await this.#isReplaced(request))) throw error;
        } else if (isLast || error === lost || !this.#maySendAgain(error, request)) throw error;
        else lost = error;
      }
    }
  }

  /** Whether the server is one of the legacy era by now: it is asked once for all that want to know. */
  async #isReplaced({ method, options }: ClientRequest): Promise<boolean> {
    if (this.#isModern) {
      const end = () => {
        this.#greeting = undefined;
      };
      this.#greeting ??= this.#client.greetAnew().then(end, end);
      await waitWithin(this.#greeting, method, options);
    }
    return !this.#isModern;
  }

  #maySendAgain(error: unknown, { method, params, options }: ClientRequest): boolean {
    if (!hasCode(error, "lost")) return false;
    if (method !== Method.ToolsCall || options?.reissue === true) return true;
    const { annotations } = this.#tools.get(String(params?.["name"])) ?? {};
    return annotations?.readOnlyHint === true || annotations?.idempotentHint === true;
  }

  #complete({ method, params }: ClientRequest, result: Params): Params {
    if (method !== Method.ToolsList || !Array.isArray(result["tools"])) return result;
    if (params?.["cursor"] === undefined) this.#tools.clear();
    const tools = result["tools"].filter(
      (tool) => isObject(tool) && this.#headers?.carries(tool["inputSchema"]) !== false,
    ) as ToolDescription[];
    for (const tool of tools) this.#tools.set(tool.name, tool);
    return { ...result, tools };
  }
}

/**
 * Whether an error may be how a server of the legacy era refuses what is said in no session: by a status, which is
 * the cause of the error. Then it has not been carried out.
 */
function isOfLegacy(error: unknown): boolean {
  const isOpen =
    error instanceof RpcError ? /^-32[06]00$/.test(`${error.code}`) : hasCode(error, "protocol");
  return isOpen && Number((error as Error).cause) >= 400;
}

/** Has the server said something, whatever it is worth? */
function isAnswer(error: unknown): boolean {
  return error instanceof RpcError || hasCode(error, "protocol");
}

function hasCode(error: unknown, code: IdewireError["code"]): boolean {
  return error instanceof IdewireError && error.code === code;
}
