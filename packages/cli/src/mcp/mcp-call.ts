import { describeValue } from "@idewire/core/internal";

/** What each action takes before the server. */
interface ActionWords {
  /** The names of its words, each of which is required. */
  readonly names: readonly string[];
  /** Whether a JSON object may follow them. */
  readonly takesJson?: true;
  /** Whether the server has to be an address. */
  readonly isRemote?: true;
}

/** What `idewire mcp` does at a server. */
export type McpAction =
  | "tools"
  | "call"
  | "resources"
  | "read"
  | "prompts"
  | "prompt"
  | "complete"
  | "listen"
  | "login"
  | "logout";

const actionWords: Readonly<Record<McpAction, ActionWords>> = {
  tools: { names: [] },
  call: { names: ["<tool>"], takesJson: true },
  resources: { names: [] },
  read: { names: ["<uri>"] },
  prompts: { names: [] },
  prompt: { names: ["<prompt>"], takesJson: true },
  complete: { names: ["<prompt or uri template>", "<argument>=<text>"] },
  listen: { names: [] },
  login: { names: [], isRemote: true },
  logout: { names: [], isRemote: true },
};

/** Which eras of MCP are spoken: both, the modern one where the server has it, or one alone. */
export type McpEra = "auto" | "legacy" | "modern";

/** The default is the first. */
export const mcpEras: readonly McpEra[] = ["auto", "legacy", "modern"];

/** The actions, in the order of the help. */
export const mcpActions = Object.keys(actionWords) as readonly McpAction[];

/** A server: an address, or a program that speaks on its stdin and stdout. */
export type McpServerPlace =
  | { readonly url: string }
  | { readonly command: string; readonly args: readonly string[] };

/** What stands on the command line. */
export interface McpCall {
  readonly action: McpAction;
  /** The words of the action. */
  readonly names: readonly string[];
  /** The arguments as JSON; `-` when they are on stdin. */
  readonly json: string;
  readonly place: McpServerPlace;
}

/** Reads the words of the command line; gives a text that says what is wrong with them. */
export function parseMcpCall(action: McpAction, words: readonly string[]): McpCall | string {
  const { names, takesJson, isRemote } = actionWords[action];
  const count = names.length;
  const hasJson = takesJson === true && /^(?:-$|\s*\{)/.test(words[count] ?? "");
  const [first, ...args] = words.slice(hasJson ? count + 1 : count);
  if (first === undefined || first === "") return "an argument is missing";
  const rest = {
    action,
    names: words.slice(0, count),
    json: hasJson ? (words[count] ?? "") : "{}",
  };
  if (isWebAddress(first)) {
    if (args.length === 0) return { ...rest, place: { url: new URL(first).href } };
    return `nothing can follow the address ${new URL(first).origin}; got ${describeValue(args[0])}`;
  }
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(first)) {
    return `expected an http or https address, or a command; got ${describeValue(first)}`;
  }
  if (isRemote !== true) return { ...rest, place: { command: first, args } };
  return `${action} is for servers at an http or https address; got ${describeValue(first)}`;
}

/** How an action is called. */
export function usageOf(action: McpAction): string {
  const { names, takesJson, isRemote } = actionWords[action];
  const server = isRemote === true ? "<url>" : "<url or command...>";
  const words = [action, ...names, ...(takesJson === true ? ["[json]"] : []), server];
  return `Usage: idewire mcp ${words.join(" ")}`;
}

function isWebAddress(word: string): boolean {
  return /^https?:\/\//i.test(word) && URL.canParse(word);
}

/** Reads headers as `Name: value`; gives a text, without the value, for one that is none. */
export function parseHeaders(texts: readonly string[]): Readonly<Record<string, string>> | string {
  const headers = new Headers();
  for (const text of texts) {
    const [, name = "", value = ""] = /^([^:\s]+):\s*(.*)$/s.exec(text) ?? [];
    try {
      headers.append(name, value);
    } catch {
      const seen =
        name === "" ? "a value without a name" : `one with the name ${describeValue(name)}`;
      return `--header takes "Name: value"; got ${seen}`;
    }
  }
  return Object.fromEntries(headers);
}
