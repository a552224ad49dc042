import { IdewireError, RpcError, RpcErrorCode } from "../../../errors.ts";
import { describeValue, isObject, type Params } from "../../../rpc/message.ts";
import type { Peer } from "../../../rpc/peer.ts";
import { sendRequest } from "../../../rpc/send-request.ts";
import type { RequestOptions } from "../../../rpc/sent-requests.ts";
import { DISCOVER, SERVER_INFO } from "../../modern-keys.ts";
import type { Implementation, InitializeResult } from "../../protocol.ts";
import { isModernError } from "../../refusals.ts";
import { isLegacyRevision, modernRevision } from "../../versions.ts";
import type {
  ClientDefinition,
  ClientRequest,
  ModernClient,
  ModernClientEra,
  ResultCache,
} from "../client-era.ts";
import { isHeaderTransport } from "./header-transport.ts";
import { ModernRequests } from "./modern-requests.ts";
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

/** What is known of a server; shared by all clients that have the same value of the era. */
interface KnownServer {
  era?: "legacy" | "modern" | "silent";
}

/**
 * The modern era of MCP, 2026-07-28, for the option `eras` of a client: it asks the server by
 * `server/discover` what it speaks, and falls back to `initialize` where the server does not know the
 * question. A refused login and a failing server are no answer to it. The verdict is kept in the value:
 * use one for each server, for all its clients.
 */
export function modernClientEra(options: ModernClientEraOptions = {}): ModernClientEra {
  const server: KnownServer = {};
  return { attach: (client) => new AttachedClientEra(client, server, options) };
}

class AttachedClientEra implements ModernClient {
  hasUpset = false;
  readonly #client: ClientDefinition;
  readonly #known: KnownServer;
  readonly #probeTimeoutMs: number;
  /** Whether the server was not asked, since it had been asked before. */
  #isRemembered = false;
  readonly #requests: ModernRequests;

  constructor(
    client: ClientDefinition,
    server: KnownServer,
    { probeTimeoutMs = 5000, cache }: ModernClientEraOptions,
  ) {
    this.#client = client;
    this.#known = server;
    this.#probeTimeoutMs = probeTimeoutMs;
    this.#requests = new ModernRequests(client, cache?.attach());
  }

  async discover(peer: Peer, request?: RequestOptions): Promise<InitializeResult | undefined> {
    this.hasUpset = false;
    const { hasLegacy } = this.#client;
    const { era } = this.#known;
    this.#isRemembered = hasLegacy && (era === "legacy" || era === "silent");
    if (this.#isRemembered) return undefined;
    const found = await this.#probe(peer, request);
    if (found !== undefined || hasLegacy) return found;
    throw mismatch("the legacy era only");
  }

  async reconsider(peer: Peer, request?: RequestOptions): Promise<InitializeResult | undefined> {
    // A server may have been replaced since it was asked, or have been slow to start.
    if (!this.#isRemembered && this.#known.era !== "silent") return undefined;
    delete this.#known.era;
    return this.#probe(peer, request, Infinity);
  }

  notice(method: string, params: Params | undefined): void {
    this.#requests.notice(method, params);
  }

  request(request: ClientRequest): Promise<unknown> {
    return this.#requests.run(request);
  }

  async #probe(
    peer: Peer,
    request: RequestOptions = {},
    // Silence says nothing where there is no other era to fall back to.
    patienceMs: number = this.#client.hasLegacy ? this.#probeTimeoutMs : Infinity,
  ): Promise<InitializeResult | undefined> {
    const { transport } = peer;
    const headers = isHeaderTransport(transport) ? transport : undefined;
    if (headers) headers.inputSchemaOf = (tool) => this.#requests.tool(tool)?.inputSchema;
    this.#requests.headers = headers;
    const { timeoutMs = 60_000 } = request;
    const isProbe = this.#known.era !== "modern" && !headers && patienceMs < timeoutMs;
    const options = { ...request, timeoutMs: isProbe ? patienceMs : timeoutMs, silent: true };
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await sendRequest(peer, DISCOVER, { _meta: metaOf(this.#client) }, options);
        return this.#settle(parseDiscovery(answer));
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
    return found;
  }

  /** What a failure of the question says of the server, keyed on no single code. */
  #judge(error: unknown, isProbe: boolean): undefined {
    if (isModernError(error)) throw error;
    if (error instanceof RpcError) {
      this.#known.era = "legacy";
      return;
    }
    const code = error instanceof IdewireError ? error.code : undefined;
    if (code === "protocol") this.#known.era = "legacy";
    else if (code === "timeout" && isProbe) this.#known.era = "silent";
    else {
      // Some servers end at a request before `initialize`.
      this.hasUpset = code === "closed" && this.#known.era === undefined && isProbe;
      if (this.hasUpset) this.#known.era = "silent";
      throw error;
    }
  }
}

/** @returns undefined for what is no answer to the question, as of a server that takes any method */
function parseDiscovery(answer: unknown): InitializeResult | undefined {
  const { supportedVersions: versions, capabilities, instructions, _meta: meta } = asObject(answer);
  if (!Array.isArray(versions)) return undefined;
  if (!versions.includes(modernRevision)) return fallBack(versions);
  const named = asObject(meta)[SERVER_INFO];
  return {
    protocolVersion: modernRevision,
    capabilities: asObject(capabilities),
    serverInfo: isObject(named) ? (named as unknown as Implementation) : { name: "", version: "" },
    ...(typeof instructions === "string" && { instructions }),
  };
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** The revisions that a server names in its refusal of another one. */
function supportedBy(error: unknown): readonly unknown[] | undefined {
  if (!(error instanceof RpcError) || error.code !== RpcErrorCode.UnsupportedProtocolVersion) {
    return undefined;
  }
  const { supported } = asObject(error.data);
  return Array.isArray(supported) ? (supported as readonly unknown[]) : [];
}

/** @throws IdewireError `version-mismatch` unless one of them is of the legacy era */
function fallBack(versions: readonly unknown[]): undefined {
  if (!versions.some(isLegacyRevision)) throw mismatch(`MCP ${describeValue(versions)}`);
}

function mismatch(what: string): IdewireError {
  return new IdewireError(
    "version-mismatch",
    `The server speaks ${what}; this client ${modernRevision}`,
  );
}
