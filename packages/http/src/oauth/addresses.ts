import { describeValue, isLoopbackName } from "@idewire/core/internal";
import type { IdewireError } from "@idewire/core/rpc";
import { unauthorized } from "./errors.ts";
import { networkOf } from "./networks.ts";

/**
 * Checks an address that a server names, before it is requested or shown to the person.
 * @param server the MCP server on whose behalf it is requested
 * @throws IdewireError `unauthorized` unless it is https, or http on this machine, and not on a private network on
 * behalf of a public server
 */
export function checkAddress(what: string, address: unknown, server: URL): URL {
  const isPlain = typeof address === "string" && !/[\p{Cc}\p{Cf}]/u.test(address);
  const url = isPlain && URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined) throw refused(what, address, "is not an address");
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
  const seen = describeValue(String(address));
  return unauthorized(`${what} ${seen} ${why}`);
}
