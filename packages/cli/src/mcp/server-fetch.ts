import dns, { type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { rootCertificates, type SecureContextOptions } from "node:tls";
import { promisify } from "node:util";
import { IdewireError } from "@idewire/core/rpc";
import { type Fetch, networkOf } from "@idewire/http/internal";
import type { CliIo } from "../process/io.ts";

/** Resolves a name to all its addresses. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

/** The certificates of `--cacert`, `--cert` and `--key`, as PEM. */
export interface TlsFiles {
  /** Authorities that are trusted besides those of Node. */
  readonly ca?: string;
  /** The client's, sent to the server itself alone. */
  readonly cert?: string;
  readonly key?: string;
}

export interface ServerFetchOptions {
  /** Sends requests on behalf of servers, which may name any address. */
  readonly fetch: Fetch;
  /** Where the proxies are named; none by default. */
  readonly env?: CliIo["env"];
  readonly tls?: TlsFiles | undefined;
  /** `dns.lookup` by default. */
  readonly resolve?: Resolve;
}

/**
 * A `fetch` for requests to an MCP server, and to the addresses that this server names. It checks the address of
 * each connection, rather than that of an earlier look-up: a public server cannot direct requests to a private
 * network, by any name. The server itself was named by the person and may be at any address, but must not move
 * from a public to a private one. For requests through a proxy, the proxy resolves and checks the names.
 * @throws IdewireError `invalid-argument` for an invalid address of a proxy
 */
export function serverFetch(
  server: URL,
  { fetch, env = {}, tls, resolve = resolveAll }: ServerFetchOptions,
): Fetch {
  const proxies = readProxies(env);
  // On behalf of a private server nothing is refused.
  const isJudged = networkOf(server.hostname) !== "private";
  if (!isJudged && proxies === undefined && tls === undefined) return fetch;
  const judge = isJudged ? new AddressJudge(server.hostname, resolve) : undefined;
  let opened: Promise<Fetch> | undefined;
  return async (url, init) => {
    opened ??= openFetch(server, { judge, proxies, tls });
    const send = await opened;
    try {
      return await send(url, init);
    } catch (error) {
      throw failureOf(error, new URL(url));
    }
  };
}

/** Why a request failed, as it was before undici wrapped it. */
function failureOf(error: unknown, { host }: URL): unknown {
  if (!(error instanceof Error) || !(error.cause instanceof Error)) return error;
  const { cause } = error;
  if (cause instanceof IdewireError) return cause;
  const inner = cause.cause instanceof Error ? cause.cause : cause;
  const [, status] = /^Proxy response \((\d+)\)/.exec(inner.message) ?? [];
  if (status === undefined) return inner === cause ? error : cause;
  return new IdewireError("unreachable", `The proxy refuses to connect to ${host}: HTTP ${status}`);
}

/** Where requests go instead of to their address. */
interface Proxies {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/** Requests to this machine never leave it. */
const LOOPBACK = "localhost,127.0.0.1,[::1]";

function readProxies(env: CliIo["env"]): Proxies | undefined {
  const read = (name: string) => env[name.toLowerCase()] || env[name] || "";
  const httpProxy = readProxy("HTTP_PROXY", read("HTTP_PROXY"));
  const httpsProxy = readProxy("HTTPS_PROXY", read("HTTPS_PROXY"));
  if (httpProxy === "" && httpsProxy === "") return undefined;
  const noProxy = read("NO_PROXY").trim();
  if (noProxy === "*") return undefined;
  return { httpProxy, httpsProxy, noProxy: `${noProxy},${LOOPBACK}` };
}

/** The address may have a password, so that no error contains it. */
function readProxy(variable: string, value: string): string {
  if (value === "") return value;
  // curl accepts a host without a scheme.
  const address = value.includes("://") ? value : `http://${value}`;
  if (URL.canParse(address)) return address;
  throw new IdewireError("invalid-argument", `${variable} is not the address of a proxy`);
}

function resolveAll(name: string): Promise<LookupAddress[]> {
  // Uses the callback function: a program's own resolver may not replace the promise-based one.
  return promisify(dns.lookup)(name, { all: true });
}

/** How connections are made. */
interface Connecting {
  /** Undefined if any address may be connected to. */
  readonly judge: AddressJudge | undefined;
  readonly proxies: Proxies | undefined;
  readonly tls: TlsFiles | undefined;
}

/** The `fetch` of undici: Node's own has no option for how to connect. */
async function openFetch(server: URL, { judge, proxies, tls }: Connecting): Promise<Fetch> {
  // It is slow to load, and no other command needs it.
  const { Agent, buildConnector, EnvHttpProxyAgent, fetch } = await import("undici");
  const ca = tls?.ca === undefined ? {} : { ca: [...rootCertificates, tls.ca] };
  const open = (options: SecureContextOptions) => {
    const direct = buildConnector({ ...options, ...(judge && { lookup: lookupBy(judge) }) });
    const connect: typeof direct = (to, done) => {
      // An address literal is not looked up.
      const host = to.hostname.replace(/^\[|\]$/g, "");
      const fault = isIP(host) === 0 ? undefined : judge?.faultOf(host, [host]);
      if (fault === undefined) direct(to, done);
      else done(fault, null);
    };
    if (proxies === undefined) return new Agent({ connect });
    return new EnvHttpProxyAgent({ ...proxies, connect, requestTls: options, proxyTls: ca });
  };
  const others = open(ca);
  const own = tls?.cert === undefined ? others : open({ ...ca, cert: tls.cert, key: tls.key });
  // Its types, which differ from those of Node by version, describe the same objects.
  const send: unknown = fetch;
  return (url, init) => {
    const dispatcher = new URL(url).origin === server.origin ? own : others;
    const options: object = { ...init, dispatcher };
    return (send as Fetch)(url, options);
  };
}

/** Looks names up for connections. */
function lookupBy(judge: AddressJudge): LookupFunction {
  return (name, { all }, done) => {
    const found = judge.resolve(name);
    found.then(
      (addresses) => {
        if (all === true) done(null, [...addresses]);
        else done(null, addresses[0]?.address ?? "", addresses[0]?.family);
      },
      (error: NodeJS.ErrnoException) => done(error, ""),
    );
  };
}

/** Checks addresses on behalf of a public server. */
class AddressJudge {
  readonly #server: string;
  readonly #resolve: Resolve;
  /** Whether the server has had a public address. */
  #wasPublic = false;

  constructor(server: string, resolve: Resolve) {
    this.#server = server;
    this.#resolve = resolve;
  }

  /** The addresses of a name to which connections are allowed: the public ones, if there are any. */
  async resolve(name: string): Promise<readonly LookupAddress[]> {
    const found = await this.#resolve(name);
    const open = found.filter(({ address }) => networkOf(address) === "public");
    if (open.length > 0) {
      if (name === this.#server) this.#wasPublic = true;
      return open;
    }
    const fault = this.faultOf(
      name,
      found.map(({ address }) => address),
    );
    if (fault !== undefined) throw fault;
    return found;
  }

  /** Why connections to a host are refused. */
  faultOf(host: string, addresses: readonly string[]): IdewireError | undefined {
    const [seen] = addresses;
    if (seen === undefined || addresses.some((address) => networkOf(address) === "public"))
      return undefined;
    const isServer = host === this.#server;
    if (isServer && !this.#wasPublic) return undefined;
    const what = `${host} ${isServer ? "now " : ""}has the address ${seen} on a private network`;
    const why = isServer ? "after a public one" : `but ${this.#server} is not on one`;
    return new IdewireError("unreachable", `${what}, ${why}`);
  }
}
