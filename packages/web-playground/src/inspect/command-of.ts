import { shellQuote } from "@idewire/core/internal";
import type { InspectedServerFacts } from "@idewire/devtools/internal";
import { exactJson } from "../state/exact-json.ts";

/** A request, and the name of the server that it is for; undefined for an editor. */
export interface SentRequest {
  readonly server: string | undefined;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/** The shell command that sends the same request; undefined if `idewire mcp` has no action for it. */
export function commandOf(
  { servers }: { readonly servers: readonly Pick<InspectedServerFacts, "name" | "shell">[] },
  { server, method, params = {} }: SentRequest,
): string | undefined {
  const facts = servers.find(({ name }) => name === server);
  const words = facts && wordsOf(method, params);
  return words && ["idewire mcp", ...words, facts.shell].join(" ");
}

function wordsOf(
  method: string,
  { name, arguments: args, uri }: Readonly<Record<string, unknown>>,
): readonly string[] | undefined {
  const named = [wordOf(name), shellQuote(exactJson.stringify(args ?? {}))];
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
      return ["read", wordOf(uri)];
    default:
      return undefined;
  }
}

/** A word for a shell; one that looks like an option comes after `--`. */
function wordOf(word: unknown): string {
  const quoted = shellQuote(String(word));
  return String(word).startsWith("-") ? `-- ${quoted}` : quoted;
}
