/** As in a URL or a `Host` header, and as an address to listen on. */
const LOOPBACK_NAMES: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]", "::1"]);

/**
 * Whether a host, without a port, is one of the loopback names that are always allowed. Others, such as
 * 127.0.0.2, must be allowed explicitly.
 */
export function isLoopbackName(host: string): boolean {
  return LOOPBACK_NAMES.has(host.toLowerCase());
}
