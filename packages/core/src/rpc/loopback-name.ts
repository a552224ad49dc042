/** As in a URL or a `Host` header, and as an address to listen on. */
const LOOPBACK_NAMES: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]", "::1"]);

/**
 * Whether a host, without a port, is this machine by one of the names that are always allowed. Other names
 * and addresses may lead here too, such as 127.0.0.2; a server that answers to those is told so.
 */
export function isLoopbackName(host: string): boolean {
  return LOOPBACK_NAMES.has(host.toLowerCase());
}
