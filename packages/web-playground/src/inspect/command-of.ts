import { shellQuote } from "@idewire/core/internal";
import { exactJson } from "../state/exact-json.ts";
import type { AskedRequest, Inspector } from "./inspector.ts";

/** The shell command that sends the same request; undefined if `idewire mcp` has no action for it. */
export function commandOf(
  { servers }: Pick<Inspector, "servers">,
  { server, method, params = {} }: AskedRequest,
): string | undefined {
  const facts = servers.find(({ name }) => name === server);
  const words = facts && wordsOf(method, params);
  return words && ["idewire mcp", ...words, facts.shell].join(" ");
}

function wordsOf(
  method: string,
  { name, arguments: args, uri }: Readonly<Record<string, unknown>>,
): readonly string[] | undefined {
  const named = [shellQuote(String(name)), shellQuote(exactJson.stringify(args ?? {}))];
  switch (method) {
    case "tools/list":
      return ["tools"];
    case "tools/call":
      return ["call", ...named];
    case "prompts/list":
      return ["prompts"];
    case "prompts/get":
      return ["prompt", ...named];
    case "resources/list":
    case "resources/templates/list":
      return ["resources"];
    case "resources/read":
      return ["read", shellQuote(String(uri))];
    default:
      return undefined;
  }
}
