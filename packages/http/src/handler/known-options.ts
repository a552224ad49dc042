import {
  type OptionNames,
  optionNames,
  requireKnownOptions,
  requireMembers,
} from "@idewire/core/internal";
import type { McpHandlerOptions } from "./mcp-http-options.ts";

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

/** @throws IdewireError `invalid-argument` unless there is a server, and each option exists */
export function requireServing(
  owner: string,
  { server, options }: { readonly server: unknown; readonly options: unknown },
  names: ReadonlySet<string> = optionNames(handlerNames),
): void {
  const functions = ["handle", "open"] as const;
  requireMembers(owner, server, { expected: "an McpServer", functions });
  requireKnownOptions(owner, options, names);
}
