import { IdewireError, RpcError, RpcErrorCode } from "../../../errors.ts";
import { badResult } from "../../../rpc/bad-result.ts";
import { isObject, type Params } from "../../../rpc/message.ts";
import type { Peer } from "../../../rpc/peer.ts";
import type { RequestOptions } from "../../../rpc/request-options.ts";
import { DISCOVER } from "../../modern-keys.ts";
import { type InitializeResult, infoOf, Method, type ToolDescription } from "../../protocol.ts";
import { isModernError, mismatch } from "../../refusals.ts";
import { modernRevision } from "../../versions.ts";
import { capabilitiesOf, type McpClientOptions } from "../client-options.ts";
import type { HandshakeOptions, SendRequestOver } from "../connection.ts";
import type { ClientCache, ClientRequest } from "../feature.ts";
import { listAll, toolList } from "../list-all.ts";
import { waitWithin } from "../wait-within.ts";
import { fallBack, parseDiscovery, supportedBy } from "./discovery.ts";
import { type HeaderTransport, isHeaderTransport } from "./header-transport.ts";
import { type Asking, answerAll, type QuestionedClient } from "./questions.ts";
import { metaOf, type RequestMeta } from "./request-meta.ts";

/** How often one request may be answered by questions. */
const MAX_ROUNDS = 10;
/** How often a request whose answer was lost is sent. */
const MAX_ATTEMPTS = 3;
/** The methods whose answer may be a question (Basic / Patterns, MRTR). */
const ASKING = /^(tools\/call|prompts\/get|resources\/read)$/;

/** The client that the era belongs to. */
export interface ModernEraOwner extends QuestionedClient {
  /** Further members of the `_meta` of each request. */
  readonly meta: ReadonlyMap<string, unknown>;
  /**
   * Sends a request in the era of the server that answers by then, which may have been replaced.
   * @param inModern sends it in the modern era
   */
  deliver(request: ClientRequest, inModern: SendRequestOver): Promise<unknown>;
  /** Asks the server again which era it supports; throws if that remains unknown. */
  handshakeAgain(): Promise<void>;
  /** Follows a result of an extension's type to its end; undefined when no feature supports the type. */
  finish(type: string, result: Params, request: ClientRequest): Promise<unknown> | undefined;
}

/**
 * The modern era of MCP, 2026-07-28, in one client: it asks the server by `server/discover` which revisions it
 * supports, and falls back to `initialize` if the server does not support the request, fails on it or is silent. A
 * refused login or an unreachable server does not decide it.
 */
export class ModernEra {
  /** Whether the question itself has ended the connection, so that the next one begins without it. */
  hasFailed = false;
  readonly #client: ModernEraOwner;
  readonly #meta: RequestMeta;
  readonly #hasLegacy: boolean;
  readonly #probeTimeoutMs: number;
  readonly #cache: ClientCache | undefined;
  /** The server's previous answer. */
  #known: "legacy" | "modern" | "silent" | undefined;
  /** Set for transports that repeat parts of a request in headers. */
  #headers: HeaderTransport | undefined;
  /** The tools of the last list. */
  readonly #tools = new Map<string, ToolDescription>();
  /** Whether the server was one of the modern era when last asked. */
  #isModern = false;
  #handshakes: Promise<void> | undefined;

  constructor(client: ModernEraOwner, options: McpClientOptions) {
    const { era, probeTimeoutMs = 5000, features = [] } = options;
    this.#client = client;
    this.#meta = {
      info: infoOf(options),
      capabilities: capabilitiesOf(options, modernRevision),
      meta: client.meta,
    };
    this.#hasLegacy = era !== "modern";
    this.#probeTimeoutMs = probeTimeoutMs;
    this.#cache = features.find(({ cache }) => cache !== undefined)?.cache?.attach();
  }

  /**
   * Asks for the server's description, in the era of the server.
   * @param initialize asks in the legacy era
   * @throws IdewireError `version-mismatch` when it supports neither era; the error that leaves this unknown
   */
  async handshake(
    peer: Peer,
    initialize: () => Promise<InitializeResult>,
    request?: HandshakeOptions,
  ): Promise<InitializeResult> {
    this.hasFailed = false;
    const hasLegacy = this.#hasLegacy;
    const isKnown = hasLegacy && (this.#known ?? "modern") !== "modern";
    const found = isKnown ? undefined : await this.#probe(peer, request);
    if (found !== undefined) return found;
    if (!hasLegacy) throw mismatch("the legacy era only", [modernRevision]);
    try {
      const server = await initialize();
      this.#isModern = false;
      return server;
    } catch (error) {
      // A server may have been replaced since it was asked, or have been slow to start.
      const isOpen = isAnswer(error) && (isKnown || this.#known === "silent");
      const late = isOpen ? await this.#probe(peer, request, Infinity) : undefined;
      if (late === undefined) throw error;
      return late;
    }
  }

  /** Acts on a notification of the server, before its listeners. */
  notice(method: string, params: Params | undefined): void {
    this.#cache?.changed(method, params);
  }

  async #probe(
    peer: Peer,
    request: HandshakeOptions = {},
    probeTimeoutMs: number = this.#probeTimeoutMs,
  ): Promise<InitializeResult | undefined> {
    const { transport } = peer;
    const headers = isHeaderTransport(transport) ? transport : undefined;
    if (headers) headers.inputSchemaOf = (name) => this.#tools.get(name)?.inputSchema;
    this.#headers = headers;
    const { timeoutMs = 60_000 } = request;
    // Silence or a failure is not conclusive if there is no other era to fall back to.
    const isProbe = this.#hasLegacy && this.#known !== "modern";
    const longestMs = isProbe ? Math.min(probeTimeoutMs, timeoutMs) : timeoutMs;
    const options = { ...request, timeoutMs: longestMs, silent: true };
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await peer.request(DISCOVER, { _meta: metaOf(this.#meta) }, options);
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
    this.#known = found === undefined ? "legacy" : "modern";
    if (found !== undefined) this.#isModern = true;
    return found;
  }

  /** The conclusion from a failed question; no single error code decides it. */
  #judge(error: unknown, isProbe: boolean): undefined {
    if (isModernError(error)) throw error;
    const code = error instanceof IdewireError ? error.code : undefined;
    if (isAnswer(error)) this.#known = "legacy";
    else if ((code === "timeout" || code === "lost") && isProbe) this.#known = "silent";
    else {
      // Some servers exit on a request before `initialize`.
      this.hasFailed = code === "closed" && this.#known === undefined && isProbe;
      if (this.hasFailed) this.#known = "silent";
      throw error;
    }
  }

  /** Sends a request, and follows it to its end. */
  async request(request: ClientRequest): Promise<unknown> {
    const { method, params, options } = request;
    const key = this.#cache?.keyOf(method, params);
    const kept = key && options?.refresh !== true && this.#cache?.get(key);
    if (kept) return this.#complete(request, kept);
    let retry: Params | undefined;
    for (let round = 0; ; round += 1) {
      const result = await this.#send(request, retry);
      if (!isObject(result)) throw badResult("server", method, result, this.#client);
      const resultType: unknown = result["resultType"] ?? "complete";
      if (resultType === "complete") {
        // A result that depends on answers is not cached under the request alone.
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

  /** The further parameters of the next request, to a server that has asked (Basic / Patterns, MRTR). */
  async #answer(asking: Asking): Promise<Params> {
    const { method, result } = asking;
    const { inputRequests, requestState } = result;
    if (inputRequests === undefined || inputRequests === null) {
      if ((requestState ?? undefined) === undefined) {
        throw badResult("server", method, result, this.#client);
      }
      return { requestState };
    }
    // A state that is undefined is not sent.
    return { requestState, inputResponses: await answerAll(this.#client, asking, inputRequests) };
  }

  /** @param retry further parameters */
  async #send(request: ClientRequest, retry: Params | undefined): Promise<unknown> {
    const { method, params, options } = request;
    // The server's description shows that it responds.
    const name = method === Method.Ping ? DISCOVER : method;
    const send = (peer: Peer) => {
      // Not a literal with spreads, as in `withToken`.
      const full = Object.assign({}, params, retry, { _meta: metaOf(this.#meta, params) });
      return peer.request(name, full, options);
    };
    let lost: unknown;
    for (let attempt = 1; ; attempt += 1) {
      const wasModern = this.#isModern;
      try {
        return await this.#client.deliver(request, send);
      } catch (caught) {
        // Only this attempt was certainly not executed.
        const error = lost && hasCode(caught, "unreachable") ? lost : caught;
        const isLast = attempt === MAX_ATTEMPTS;
        // The headers for the tool's newest schema may be the ones that the server expects.
        const isStale = error instanceof RpcError && error.code === RpcErrorCode.HeaderMismatch;
        if (isStale && this.#headers && method === Method.ToolsCall && attempt === 1) {
          const { signal, timeoutMs } = options ?? {};
          await this.#refreshTools({ signal, timeoutMs });
        } else if (!isLast && this.#headers && isOfLegacy(error)) {
          // A request that the legacy server refuses is not sent to it again.
          if (!wasModern || !(await this.#isReplaced(request))) throw error;
        } else if (isLast || error === lost || !this.#maySendAgain(error, request)) throw error;
        else lost = error;
      }
    }
  }

  async #refreshTools(options: HandshakeOptions): Promise<void> {
    const lister = {
      redact: <T>(value: T) => this.#client.redact(value),
      request: (method: string, params?: Params, how?: RequestOptions) =>
        this.request({ method, params, options: how }),
    };
    await listAll(lister, toolList, { ...options, refresh: true });
  }

  /** Whether the server is one of the legacy era by now: one request answers all callers. */
  async #isReplaced({ method, options }: ClientRequest): Promise<boolean> {
    if (this.#isModern) {
      const end = () => {
        this.#handshakes = undefined;
      };
      this.#handshakes ??= this.#client.handshakeAgain().then(end, end);
      await waitWithin(this.#handshakes, method, options);
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
    // Other errors are reported by the list.
    const tools = (result["tools"] as readonly unknown[]).filter(
      (tool) => !isObject(tool) || this.#headers?.carries(tool["inputSchema"]) !== false,
    );
    for (const tool of tools.filter(isObject) as unknown as ToolDescription[]) {
      this.#tools.set(tool.name, tool);
    }
    return { ...result, tools };
  }
}

/**
 * Whether an error may be a legacy server's refusal of a request outside a session: by a status, which is the
 * error's cause. The request was not executed then.
 */
function isOfLegacy(error: unknown): boolean {
  const isOpen =
    error instanceof RpcError ? /^-32[06]00$/.test(`${error.code}`) : hasCode(error, "protocol");
  return isOpen && Number((error as Error).cause) >= 400;
}

/** Did the server respond at all? */
function isAnswer(error: unknown): boolean {
  return error instanceof RpcError || hasCode(error, "protocol");
}

function hasCode(error: unknown, code: IdewireError["code"]): boolean {
  return error instanceof IdewireError && error.code === code;
}
