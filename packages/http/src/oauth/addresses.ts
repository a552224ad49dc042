import { isLoopbackName } from "@idewire/core/internal";
import type { IdewireError } from "@idewire/core/rpc";
import { unauthorized } from "./errors.ts";

/**
 * Names that no public resolver knows: single labels, names of networks at home and at work, of machines in a
 * cluster, and special-use domains (RFC 6761, RFC 6762, RFC 8375, RFC 9462, ICANN's `internal`).
 */
const PRIVATE_NAME =
  /^[^.:]*$|\.(?:local|localdomain|localdomain[46]|localhost|internal|intranet|private|lan|home|corp|mail|arpa|test|example|invalid|svc|consul|docker|kubernetes)$/;

/** Names of other networks, which their own programs reach (RFC 7686, RFC 9476). */
const OTHER_NAME = /\.(onion|alt)$/;

type Network = "public" | "private" | "onion" | "alt";

/** The network that a host belongs to, by its name or address. Names are not resolved. */
function networkOf(hostname: string): Network {
  const host = hostname.toLowerCase().replace(/^\[|\]$|(?<!\.)\.+$/g, "");
  const [, other] = OTHER_NAME.exec(host) ?? [];
  if (other !== undefined) return other as Network;
  return isPrivateHost(host) ? "private" : "public";
}

/**
 * Whether a host is of this machine or of a network that is not public: loopback, private, link-local, or a
 * name of such. Names are not resolved.
 */
function isPrivateHost(host: string): boolean {
  if (PRIVATE_NAME.test(host)) return true;
  const [a = Number.NaN, b = Number.NaN] = host.split(".").map(Number);
  if (/^[\d.]+$/.test(host)) {
    const isShared = a === 100 && b >= 64 && b < 128;
    const isPrivate = a === 10 || (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168);
    // Protocol assignments, benchmarks, multicast and what is reserved (RFC 6890).
    const isSpecial =
      /^192\.0\.0\./.test(host) || (a === 198 && (b === 18 || b === 19)) || a >= 224;
    return a === 0 || a === 127 || isPrivate || isShared || (a === 169 && b === 254) || isSpecial;
  }
  // Public ones are in 2000::/3 (RFC 4291), but for 6to4 and Teredo, which hold addresses of IPv4.
  return host.includes(":") && !/^(?!2002:|2001:0?:)[23][\da-f]{3}:/.test(host);
}

/**
 * Checks an address that a server names before it is asked, or shown to the person.
 * @param server the MCP server on whose behalf it is
 * @throws IdewireError `unauthorized` unless it is https, or http on this machine, and not on a private
 * network on behalf of a public server
 */
export function checkAddress(what: string, address: unknown, server: URL): URL {
  const isPlain = typeof address === "string" && !/[\p{Cc}\p{Cf}]/u.test(address);
  const url = isPlain && URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined) throw refused(what, address, "is no address");
  if (url.username !== "" || url.password !== "") {
    throw refused(what, url.origin + url.pathname, "is given with a user name or a password");
  }
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopbackName(url.hostname))) {
    throw refused(what, address, "is neither https nor on this machine");
  }
  const network = networkOf(url.hostname);
  if (network !== "public" && network !== networkOf(server.hostname)) {
    const named = network === "private" ? "a private" : `the ${network}`;
    throw refused(what, address, `is on ${named} network, but ${server.host} is not`);
  }
  return url;
}

function refused(what: string, address: unknown, why: string): IdewireError {
  const seen = JSON.stringify(String(address).slice(0, 200));
  return unauthorized(`${what} ${seen} ${why}`);
}
