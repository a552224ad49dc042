import { describeValue } from "@idewire/core/internal";
import { parseTarget, type Target } from "../flags/target.ts";

/** The words of each action before the server. */
interface ActionWords {
  /** The names of its required words. */
  readonly names: readonly string[];
  /** Whether a JSON object may follow. */
  readonly takesJson?: true;
  /** Whether the server must be an address. */
  readonly isRemote?: true;
}

/** The actions of `idewire mcp` at a server. */
export type McpAction =
  | "tools"
  | "call"
  | "resources"
  | "read"
  | "prompts"
  | "prompt"
  | "complete"
  | "listen"
  | "connect"
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
  connect: { names: [] },
  login: { names: [], isRemote: true },
  logout: { names: [], isRemote: true },
};

/** The eras of MCP to use: both, preferring the modern one, or only one. */
export type McpEra = "auto" | "legacy" | "modern";

/** The default is the first. */
export const mcpEras: readonly McpEra[] = ["auto", "legacy", "modern"];

/** The actions, in the order of the help. */
export const mcpActions = Object.keys(actionWords) as readonly McpAction[];

/** The parsed command line of an action. */
export interface McpCall {
  readonly action: McpAction;
  /** The words of the action. */
  readonly names: readonly string[];
  /** The arguments as JSON; `-` when they are on stdin. */
  readonly json: string;
  readonly target: Target;
}

/** The words of a command line. */
export interface LineWords {
  /** All except those of the program. */
  readonly words: readonly string[];
  /** The command that is the server, after `--`; undefined without it. */
  readonly program: readonly string[] | undefined;
}

/**
 * Separates the words of an action from those of a program. A `--` in place of a name introduces a name that begins
 * with a hyphen, as no program does: `call -- -name` needs a second `--` before a program.
 * @param all every word except the first `--`
 * @param after those after the first `--`; undefined without it
 */
export function splitWords(
  action: McpAction,
  all: readonly string[],
  after: readonly string[] | undefined,
): LineWords {
  const words = all.slice(0, all.length - (after?.length ?? 0));
  const isName = words.length < actionWords[action].names.length && after?.[0]?.startsWith("-");
  if (after === undefined || isName !== true) return { words, program: after };
  const end = after.indexOf("--");
  if (end === -1) return { words: all, program: undefined };
  return { words: [...words, ...after.slice(0, end)], program: after.slice(end + 1) };
}

/** Parses the words of the command line; returns an error message for invalid ones. */
export function parseMcpCall(action: McpAction, { words, program }: LineWords): McpCall | string {
  const { names, takesJson, isRemote } = actionWords[action];
  const count = names.length;
  const missing = names[words.length];
  if (missing !== undefined) return `${missing} is missing`;
  const hasJson = takesJson === true && /^(?:-$|\s*\{)/.test(words[count] ?? "");
  const rest = words.slice(hasJson ? count + 1 : count);
  const stray = rest.length > (program === undefined ? 1 : 0) ? rest[0] : undefined;
  if (takesJson === true && stray !== undefined && /[=[{"]/.test(stray)) {
    return `arguments are one JSON object, such as '{"name":"value"}'; got ${describeValue(stray)}`;
  }
  const target = parseTarget(rest, program);
  if (typeof target === "string") return target;
  if (isRemote === true && !("url" in target)) {
    return `${action} is for servers at an http or https address`;
  }
  const json = hasJson ? (words[count] ?? "") : "{}";
  return { action, names: words.slice(0, count), json, target };
}

/** The words of an action, for its usage. */
export function wordsOf(action: McpAction): string {
  const { names, takesJson, isRemote } = actionWords[action];
  const server = isRemote === true ? "<url>" : "<url | folder | -- command...>";
  return [...names, ...(takesJson === true ? ["[json]"] : []), server].join(" ");
}

/** Explains the words of an action, for its help. */
export function explainWords(action: McpAction): string {
  const { names, takesJson, isRemote } = actionWords[action];
  const json = takesJson === true ? ["its arguments as a JSON object (-: from stdin)"] : [];
  const server =
    isRemote === true
      ? "the URL of the server"
      : "the server: a URL, the folder of a vault, or a command after --";
  return [...names, ...json, server].join(", ");
}
