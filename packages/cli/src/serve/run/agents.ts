import { askingArguments } from "@idewire/core/internal";

/** What a variable of an agent's environment is set to; `none` removes it. */
export type AgentVariable = "port" | "pid" | "none";

/** What makes an agent connect to one editor, and ask for reviews. */
export interface RunnableAgent {
  /** As people call it. */
  readonly title: string;
  readonly command: string;
  /** How to get it, as a shell command. */
  readonly install: string;
  /** Arguments by which it connects. */
  readonly connects?: readonly string[];
  /** Arguments by which it asks before it writes, unless the person gives one of these options. */
  readonly asks?: { readonly arguments: readonly string[]; readonly unless: readonly string[] };
  /** Variables that lead it to the editor, or away from it. */
  readonly variables?: Readonly<Record<string, AgentVariable>>;
  /** What the person does in it before it connects. */
  readonly hint?: string;
  /** How its edits are reviewed where it opens no diffs itself. */
  readonly reviews?: "opencode-server";
  /** How it is told of files that it may not read or edit; missing where it cannot be told. */
  readonly denies?: "claude-settings";
}

/**
 * The agents by the words that `idewire run` knows them by. Sources of each line: docs/clients. A token
 * is never passed on: other users can read arguments, and children inherit variables.
 */
export const runnableAgents: Readonly<Record<string, RunnableAgent>> = {
  claude: {
    title: "Claude Code",
    command: "claude",
    install: "npm install -g @anthropic-ai/claude-code",
    connects: ["--ide"],
    asks: {
      arguments: askingArguments,
      unless: ["--permission-mode", "--dangerously-skip-permissions"],
    },
    // False beats --ide.
    variables: { CLAUDE_CODE_SSE_PORT: "port", CLAUDE_CODE_AUTO_CONNECT_IDE: "none" },
    denies: "claude-settings",
  },
  opencode: {
    title: "opencode",
    command: "opencode",
    install: "npm install -g opencode-ai",
    reviews: "opencode-server",
    // With a port it sends no token, and is refused forever.
    variables: { CLAUDE_CODE_SSE_PORT: "none", OPENCODE_EDITOR_SSE_PORT: "none" },
  },
  gemini: {
    title: "Gemini CLI",
    command: "gemini",
    install: "npm install -g @google/gemini-cli",
    // The terminal of another editor sets the others.
    variables: {
      GEMINI_CLI_IDE_PID: "pid",
      GEMINI_CLI_IDE_SERVER_PORT: "none",
      GEMINI_CLI_IDE_WORKSPACE_PATH: "none",
      GEMINI_CLI_IDE_AUTH_TOKEN: "none",
    },
    hint: "type /ide enable once",
  },
  qwen: {
    title: "Qwen Code",
    command: "qwen",
    install: "npm install -g @qwen-code/qwen-code",
    variables: { QWEN_CODE_IDE_SERVER_PORT: "none", QWEN_CODE_IDE_WORKSPACE_PATH: "none" },
    hint: "type /ide enable once",
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

/** The words of the agents, in the order of the help. */
export const agentWords: readonly string[] = Object.keys(runnableAgents);

/** An agent of the table, or the person's own command. */
export function findAgent(word: string): RunnableAgent | undefined {
  return Object.hasOwn(runnableAgents, word) ? runnableAgents[word] : undefined;
}

/** The editor that an agent is to connect to. */
export interface TargetEditor {
  /** Where Claude Code's dialect is spoken. */
  readonly port: number;
  readonly pid: number | undefined;
}

/** The environment of an agent that is to connect to an editor. */
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
