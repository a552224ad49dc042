import dns, { type LookupAddress } from "node:dns";
import { isIP } from "node:net";
import { promisify } from "node:util";
import { IdewireError } from "@idewire/core/rpc";
import { type Fetch, networkOf } from "@idewire/http/internal";

/** Resolves a name to all its addresses. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

export interface ServerFetchOptions {
  /** Sends requests on behalf of servers, which may name any address. */
  readonly fetch: Fetch;
  /** `dns.lookup` by default. */
  readonly resolve?: Resolve;
}

/**
 * A `fetch` for requests to an MCP server, and to the addresses that this server names. It checks the address of
 * each connection, rather than that of an earlier look-up: a public server cannot direct requests to a private
 * network, by any name. The server itself was named by the person and may be at any address, but must not move
 * from a public to a private one.
 */
export function serverFetch(
  server: URL,
  { fetch, resolve = resolveAll }: ServerFetchOptions,
): Fetch {
  // On behalf of a private server nothing is refused. A proxy resolves the names itself.
  const isUnjudged = networkOf(server.hostname) === "private" || isProxied();
  if (isUnjudged) return fetch;
  let opened: Promise<Fetch> | undefined;
  return async (url, init) => {
    opened ??= openFetch(new AddressJudge(server.hostname, resolve));
    const send = await opened;
    try {
      return await send(url, init);
    } catch (error) {
      throw error instanceof Error && error.cause instanceof IdewireError ? error.cause : error;
    }
  };
}

function isProxied(): boolean {
  const { NODE_USE_ENV_PROXY, HTTP_PROXY, HTTPS_PROXY, http_proxy, https_proxy } = process.env;
  if (NODE_USE_ENV_PROXY !== "1") return false;
  return [HTTP_PROXY, HTTPS_PROXY, http_proxy, https_proxy].some(Boolean);
}

function resolveAll(name: string): Promise<LookupAddress[]> {
  // Uses the callback function: a program's own resolver may not replace the promise-based one.
  return promisify(dns.lookup)(name, { all: true });
}

/** The `fetch` of undici: Node's own has no option for how to connect. */
async function openFetch(judge: AddressJudge): Promise<Fetch> {
  // It is slow to load, and no other command needs it.
  const { Agent, buildConnector, fetch } = await import("undici");
  const connect = buildConnector({
    lookup(name, { all }, done) {
      const found = judge.resolve(name);
      found.then(
        (addresses) => {
          if (all === true) done(null, [...addresses]);
          else done(null, addresses[0]?.address ?? "", addresses[0]?.family);
        },
        (error: NodeJS.ErrnoException) => done(error, ""),
      );
    },
  });
  const dispatcher = new Agent({
    connect(options, done) {
      // An address literal is not looked up.
      const host = options.hostname.replace(/^\[|\]$/g, "");
      const fault = isIP(host) === 0 ? undefined : judge.faultOf(host, [host]);
      if (fault === undefined) connect(options, done);
      else done(fault, null);
    },
  });
  // Its types, which differ from those of Node by version, describe the same objects.
  const send: unknown = fetch;
  return (url, init) => {
    const options: object = { ...init, dispatcher };
    return (send as Fetch)(url, options);
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
