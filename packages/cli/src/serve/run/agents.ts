import { type Dialect, gemini, qwen } from "@idewire/core";
import { askingArguments } from "@idewire/core/internal";
import { describeEnabling } from "../../page-server/agent-start.ts";

/** The value of a variable in an agent's environment; `none` removes it. */
export type AgentVariable = "port" | "pid" | "none";

/** How to make an agent connect to one editor and ask for reviews. */
export interface RunnableAgent {
  /** Its display name. */
  readonly title: string;
  readonly command: string;
  /** The shell command that installs it. */
  readonly install: string;
  /** Arguments by which it connects. */
  readonly connects?: readonly string[];
  /** Arguments that make it ask before it writes, unless the person passes one of these options. */
  readonly asks?: { readonly arguments: readonly string[]; readonly unless: readonly string[] };
  /** Environment variables that make it connect to the editor, or prevent that. */
  readonly variables?: Readonly<Record<string, AgentVariable>>;
  /** The person's act in it before it connects. */
  readonly hint?: string;
  /** How its edits are reviewed if it opens no diffs itself. */
  readonly reviews?: "opencode-server";
  /** How files are excluded from its reading and editing; missing if it does not support that. */
  readonly denies?: "claude-settings";
}

/** By default, a model approves the writes of Qwen Code (docs/clients/qwen-code.md, With idewire). */
const approval = {
  arguments: ["--approval-mode", "default"],
  unless: ["--approval-mode", "--yolo", "-y"],
} as const;

/**
 * The agents by their words in `idewire run`. Sources of each line: docs/clients. A token is never passed on:
 * other users can read arguments, and children inherit variables.
 */
const runnableAgents: Readonly<Record<string, RunnableAgent>> = {
  claude: {
    title: "Claude Code",
    command: "claude",
    install: "npm install -g @anthropic-ai/claude-code",
    connects: ["--ide"],
    asks: {
      arguments: askingArguments,
      unless: ["--permission-mode", "--dangerously-skip-permissions"],
    },
    // False overrides --ide.
    variables: { CLAUDE_CODE_SSE_PORT: "port", CLAUDE_CODE_AUTO_CONNECT_IDE: "none" },
    denies: "claude-settings",
  },
  opencode: {
    title: "opencode",
    command: "opencode",
    install: "npm install -g opencode-ai",
    reviews: "opencode-server",
    // With a port it sends no token, and is always refused.
    variables: { CLAUDE_CODE_SSE_PORT: "none", OPENCODE_EDITOR_SSE_PORT: "none" },
  },
  gemini: {
    title: "Gemini CLI",
    command: "gemini",
    install: "npm install -g @google/gemini-cli",
    asks: approval,
    // The terminal of another editor sets the others.
    variables: {
      GEMINI_CLI_IDE_PID: "pid",
      GEMINI_CLI_IDE_SERVER_PORT: "none",
      GEMINI_CLI_IDE_WORKSPACE_PATH: "none",
      GEMINI_CLI_IDE_AUTH_TOKEN: "none",
    },
    ...hintOf(gemini),
  },
  qwen: {
    title: "Qwen Code",
    command: "qwen",
    install: "npm install -g @qwen-code/qwen-code",
    asks: approval,
    variables: { QWEN_CODE_IDE_SERVER_PORT: "none", QWEN_CODE_IDE_WORKSPACE_PATH: "none" },
    ...hintOf(qwen),
  },
  copilot: {
    title: "Copilot CLI",
    command: "copilot",
    install: "npm install -g @github/copilot",
  },
  codex: {
    title: "Codex",
    command: "codex",
    install: "npm install -g @openai/codex",
    hint: "type /ide on in each session",
  },
};

function hintOf({ agent }: Dialect): Pick<RunnableAgent, "hint"> {
  return agent?.enable === undefined ? {} : { hint: describeEnabling(agent.enable) };
}

/** The words of the agents, in the order of the help. */
export const agentWords: readonly string[] = Object.keys(runnableAgents);

/** An agent of the table, or the person's own command. */
export function findAgent(word: string): RunnableAgent | undefined {
  return Object.hasOwn(runnableAgents, word) ? runnableAgents[word] : undefined;
}

/** The editor for an agent. */
export interface TargetEditor {
  /** The endpoint of Claude Code's dialect. */
  readonly port: number;
  readonly pid: number | undefined;
}

/** The environment that makes an agent connect to an editor. */
export function agentEnvironment(
  { variables = {} }: RunnableAgent,
  env: Readonly<Record<string, string | undefined>>,
  editor: TargetEditor,
): Readonly<Record<string, string | undefined>> {
  const values = { port: String(editor.port), pid: editor.pid?.toString(), none: undefined };
  const set = Object.entries(variables).map(([name, value]) => [name, values[value]] as const);
  return { ...env, ...Object.fromEntries(set) };
}

/** The arguments of an agent: ours, then those of the person. */
export function agentArguments(
  { connects = [], asks = { arguments: [], unless: [] } }: RunnableAgent,
  given: readonly string[],
): readonly string[] {
  const isChosen = asks.unless.some((option) =>
    given.some((word) => word === option || word.startsWith(`${option}=`)),
  );
  return [...connects, ...(isChosen ? [] : asks.arguments), ...given];
}
