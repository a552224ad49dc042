import dns, { type LookupAddress } from "node:dns";
import { isIP } from "node:net";
import { promisify } from "node:util";
import { IdewireError } from "@idewire/core/rpc";
import { type Fetch, networkOf } from "@idewire/http/internal";

/** Resolves a name to all its addresses. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

export interface ServerFetchOptions {
  /** Sends the requests on behalf of servers that may lead anywhere. */
  readonly fetch: Fetch;
  /** `dns.lookup` by default. */
  readonly resolve?: Resolve;
}

/**
 * A `fetch` for requests to an MCP server, and to what this server names. It judges the address of each connection,
 * not that of a look-up before it: a server of the public internet leads to no address of a private network, by
 * whatever name. The person has named the server itself, which may be at any address, but not move from a public one
 * to a private one.
 */
export function serverFetch(
  server: URL,
  { fetch, resolve = resolveAll }: ServerFetchOptions,
): Fetch {
  // Nothing is refused on behalf of a private server. A proxy resolves the names itself.
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
  // Not by the promises of the module, which the resolver of a program may not replace.
  return promisify(dns.lookup)(name, { all: true });
}

/** The `fetch` of undici: Node's own cannot be told how to connect. */
async function openFetch(judge: AddressJudge): Promise<Fetch> {
  // It takes a while to load, and no other command needs it.
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
      // The address of a literal is not looked up.
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

/** Judges addresses on behalf of a server of the public internet. */
class AddressJudge {
  readonly #server: string;
  readonly #resolve: Resolve;
  /** Whether the server has had a public address. */
  #wasPublic = false;

  constructor(server: string, resolve: Resolve) {
    this.#server = server;
    this.#resolve = resolve;
  }

  /** The addresses of a name that may be connected to: the public ones, where there are any. */
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

  /** Why none of the addresses of a host may be connected to. */
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
