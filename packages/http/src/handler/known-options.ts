import { IdewireError } from "@idewire/core/rpc";
import type { McpHandlerOptions } from "./mcp-http-options.ts";

/** The names of the options of a type that may be a union. */
export type OptionNames<T> = Readonly<Record<T extends unknown ? keyof T : never, true>>;

export const handlerNames: OptionNames<McpHandlerOptions<unknown>> = {
  context: true,
  token: true,
  access: true,
  authorize: true,
  resourceServer: true,
  allowedHosts: true,
  allowedOrigins: true,
  legacy: true,
  ssePath: true,
  limits: true,
  onerror: true,
};

/** @throws IdewireError `invalid-argument` for an option that `createMcpHandler` does not have */
export function refuseUnknownOfHandler(options: object): void {
  refuseUnknown("", options, handlerNames);
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
