import { IdewireError } from "@idewire/core/rpc";
import type { McpListenerOptions } from "./create-mcp-listener.ts";
import type { McpHttpOptions } from "./mcp-http-options.ts";

type Names<T> = Readonly<Record<T extends unknown ? keyof T : never, true>>;

const handlerNames: Names<McpHttpOptions<unknown>> = {
  server: true,
  context: true,
  authorize: true,
  allowedHosts: true,
  allowedOrigins: true,
  legacy: true,
  ssePath: true,
  limits: true,
  onerror: true,
  resourceMetadata: true,
};

const listenerNames: Names<McpListenerOptions<unknown>> = {
  ...handlerNames,
  path: true,
  host: true,
  port: true,
  socketPath: true,
};

/** @throws IdewireError `invalid-argument` for an option that `createMcpHandler` does not have */
export function refuseUnknownOfHandler(options: object): void {
  refuseUnknown("", options, handlerNames);
}

/** @throws IdewireError `invalid-argument` for an option that `createMcpListener` does not have */
export function refuseUnknownOfListener(options: object): void {
  refuseUnknown("", options, listenerNames);
}

/**
 * Refuses a name that means nothing, which is a slip of the pen: who wrote it takes it for set.
 * @throws IdewireError `invalid-argument`
 */
export function refuseUnknown(where: string, given: object, known: object): void {
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(known, name)) continue;
    const names = Object.keys(known).join(", ");
    throw new IdewireError(
      "invalid-argument",
      `${where}${name}: there is no such option, expected one of ${names}`,
    );
  }
}
