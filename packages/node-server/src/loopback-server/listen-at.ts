import { once } from "node:events";
import type { Server } from "node:http";
import { isLoopbackName } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";

/** Where a server listens. */
export interface ListenPlace {
  /** 127.0.0.1 by default. */
  readonly host?: string;
  /** Any free one by default. */
  readonly port?: number;
  /** A Unix socket, or a pipe on Windows, in place of a port. */
  readonly socketPath?: string | undefined;
}

type ListenFault = NodeJS.ErrnoException;

/**
 * A port that is reachable from the network requires the names by which clients call it.
 * @throws IdewireError `invalid-argument` without them
 */
export function refuseOpenBind(
  name: string,
  host: string | undefined,
  allowedHosts: readonly string[] = [],
): void {
  if (host === undefined || isLoopbackName(host) || allowedHosts.length > 0) return;
  throw new IdewireError(
    "invalid-argument",
    `${name}: ${host} is open to the network and needs allowedHosts, the names by which clients call it`,
  );
}

/**
 * Resolves once the server listens.
 * @throws IdewireError `port-in-use` when the place is not available, `invalid-argument` when it is invalid
 */
export async function listenAt(
  server: Server,
  { host = "127.0.0.1", port = 0, socketPath }: ListenPlace,
): Promise<void> {
  server.listen(socketPath === undefined ? { host, port } : { path: socketPath });
  const cause = await once(server, "listening").then(
    () => undefined,
    (error: ListenFault) => error,
  );
  if (cause === undefined) return;
  if (socketPath !== undefined) {
    const text = `The socket ${socketPath} is not available: ${cause.code}`;
    throw new IdewireError("port-in-use", text, { cause });
  }
  const isTaken = cause.code === "EADDRINUSE" || cause.code === "EACCES";
  const code = isTaken ? "port-in-use" : "invalid-argument";
  throw new IdewireError(code, describeFault(host, port, cause), { cause });
}

function describeFault(host: string, port: number, cause: ListenFault): string {
  const place = `Port ${port} of ${host}`;
  if (cause.code === "EADDRNOTAVAIL") return `${host} is not an address of this machine`;
  if (cause.syscall === "getaddrinfo") return `${host} is not known (${cause.code})`;
  if (cause.code === "EACCES") return `${place} may not be used by you; choose another`;
  if (cause.code !== "EADDRINUSE") return `Cannot listen on ${host}: ${cause.message}`;
  return port === 0
    ? `No port of ${host} is free`
    : `${place} is in use by another program; choose another`;
}
