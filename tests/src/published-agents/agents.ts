import { anthropicWire } from "../scripted-model/anthropic-wire.ts";
import { geminiWire } from "../scripted-model/gemini-wire.ts";
import type { ModelCall, ModelWire } from "../scripted-model/model-wire.ts";
import { chatWire, responsesWire } from "../scripted-model/openai-wires.ts";
import {
  type AgentWords,
  claudeWords,
  codexWords,
  copilotWords,
  geminiWords,
  opencodeWords,
  qwenWords,
} from "./agent-words.ts";

/** Where an agent runs. */
export interface AgentPlace {
  readonly home: string;
  readonly folder: string;
  /** The origin of its model. */
  readonly origin: string;
}

/** A published command line, and how to drive it with a scripted model and without a login. */
export interface PublishedAgent {
  /** Its command, which is also its name for `idewire run`. */
  readonly word: string;
  /** Its name in idewire. */
  readonly title: string;
  /** Its name in `initialize`. */
  readonly name: string;
  readonly words: AgentWords;
  readonly wire: ModelWire;
  readonly variables: (place: AgentPlace) => Readonly<Record<string, string>>;
  /** Settings that suppress its questions at the start, by their paths in the home. */
  readonly settings: (place: AgentPlace) => Readonly<Record<string, string>>;
  /** The arguments with which a person starts it. */
  readonly arguments: readonly string[];
  /** The text on the screen when it accepts a prompt. */
  readonly ready: RegExp;
  /** What a person types to connect it. */
  readonly enables?: string;
  /** What a person types to exit. */
  readonly quits: string;
  /** Whether its launcher ignores SIGTERM. */
  readonly ignoresTerm?: boolean;
  /** Its arguments if `idewire run` passes the others. */
  readonly ownArguments?: readonly string[];
  /** Whether it sends a title for its session. */
  readonly isTitled?: boolean;
  /** The call that writes a file; missing if its edits cannot be reviewed. */
  readonly write?: (path: string, text: string) => ModelCall;
  /** Whether it opens diffs before it writes. */
  readonly proposes: boolean;
  /** What a person must type to enable diffs again after the editor was killed. */
  readonly afterKill?: string;
  /** Whether it writes the text edited by the person; true by default. */
  readonly takesText?: boolean;
  /** The call with which its model requests diagnostics; missing if it receives none. */
  readonly diagnostics?: ModelCall | "unasked";
}

const json = (value: unknown) => JSON.stringify(value, undefined, 2);
const KEY = "of-no-use-00000000000000000000";

const claude: PublishedAgent = {
  word: "claude",
  title: "Claude Code",
  name: "claude-code",
  words: claudeWords,
  quits: "/exit",
  wire: anthropicWire,
  variables: ({ origin }) => ({
    ...{ ANTHROPIC_BASE_URL: origin, ANTHROPIC_API_KEY: KEY },
    ...{ DISABLE_AUTOUPDATER: "1", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" },
  }),
  settings: ({ folder }) => ({
    ".claude.json": json({
      ...{ hasCompletedOnboarding: true, theme: "dark" },
      projects: { [folder]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
      customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
    }),
  }),
  arguments: ["--ide", "--permission-mode", "default"],
  ready: /❯/,
  proposes: true,
  diagnostics: "unasked",
  write: (file_path, content) => ({ name: "Write", input: { file_path, content } }),
};

const opencode: PublishedAgent = {
  word: "opencode",
  title: "opencode",
  name: "opencode",
  words: opencodeWords,
  quits: "/exit",
  wire: chatWire,
  variables: () => ({ OPENCODE_DISABLE_AUTOUPDATE: "true", OPENCODE_DISABLE_MODELS_FETCH: "true" }),
  settings: ({ origin }) => ({
    ".config/opencode/opencode.json": json({
      ...{ autoupdate: false, share: "disabled", model: "scripted/m", small_model: "scripted/m" },
      provider: {
        scripted: {
          npm: "@ai-sdk/openai-compatible",
          name: "Scripted",
          options: { baseURL: `${origin}/v1`, apiKey: KEY },
          models: { m: { name: "m", tool_call: true, limit: { context: 200_000, output: 8_000 } } },
        },
      },
    }),
  }),
  arguments: [],
  ready: /Ask anything/,
  proposes: false,
  write: (filePath, content) => ({ name: "write", input: { filePath, content } }),
};

const gemini: PublishedAgent = {
  word: "gemini",
  title: "Gemini CLI",
  ignoresTerm: true,
  name: "gemini-cli",
  words: geminiWords,
  quits: "/quit",
  wire: geminiWire,
  variables: ({ origin }) => ({
    ...{ GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: origin },
    // Otherwise, in a container, it connects to another machine.
    SSH_CONNECTION: "local",
  }),
  settings: ({ folder }) => ({
    ".gemini/settings.json": json({
      ide: { enabled: true, hasSeenNudge: true },
      security: { auth: { selectedType: "gemini-api-key" } },
      general: { enableAutoUpdate: false, disableAutoUpdate: true },
      privacy: { usageStatisticsEnabled: false },
      model: { name: "gemini-2.5-flash" },
    }),
    ".gemini/trustedFolders.json": json({ [folder]: "TRUST_FOLDER" }),
  }),
  arguments: [],
  ready: /Type your message/,
  proposes: true,
  afterKill: "/ide enable",
  write: (file_path, content) => ({ name: "write_file", input: { file_path, content } }),
};

const qwen: PublishedAgent = {
  word: "qwen",
  title: "Qwen Code",
  name: "qwen-code",
  words: qwenWords,
  quits: "/quit",
  wire: chatWire,
  variables: ({ origin }) => ({
    ...{ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${origin}/v1`, OPENAI_MODEL: "m" },
    SSH_CONNECTION: "local",
  }),
  settings: ({ folder }) => ({
    ".qwen/settings.json": json({
      ide: { enabled: true, hasSeenNudge: true },
      security: { auth: { selectedType: "openai" } },
      general: { enableAutoUpdate: false, disableAutoUpdate: true },
      privacy: { usageStatisticsEnabled: false },
      model: { name: "m" },
    }),
    ".qwen/trustedFolders.json": json({ [folder]: "TRUST_FOLDER" }),
  }),
  // By default, a model approves its writes.
  arguments: ["--approval-mode", "default"],
  ready: /Type your message/,
  proposes: true,
  afterKill: "/ide enable",
  write: (file_path, content) => ({ name: "write_file", input: { file_path, content } }),
};

const copilot: PublishedAgent = {
  word: "copilot",
  title: "Copilot CLI",
  name: "copilot-cli",
  words: copilotWords,
  quits: "/exit",
  wire: chatWire,
  variables: ({ origin }) => ({
    ...{ COPILOT_PROVIDER_BASE_URL: `${origin}/v1`, COPILOT_PROVIDER_API_KEY: KEY },
    ...{ COPILOT_MODEL: "m", COPILOT_OFFLINE: "true", COPILOT_AUTO_UPDATE: "false" },
  }),
  settings: ({ folder }) => ({
    ".copilot/config.json": json({ trusted_folders: [folder], trustedFolders: [folder] }),
  }),
  arguments: [],
  ready: /❯|\/ for commands/,
  proposes: true,
  isTitled: true,
  takesText: false,
  diagnostics: { name: "ide-get_diagnostics", input: {} },
  write: (path, file_text) => ({ name: "create", input: { path, file_text } }),
};

const codex: PublishedAgent = {
  word: "codex",
  title: "Codex CLI",
  name: "codex-tui",
  words: codexWords,
  quits: "/quit",
  wire: responsesWire,
  variables: () => ({}),
  settings: ({ folder, origin }) => ({
    ".codex/config.toml": [
      ...['model = "scripted"', 'model_provider = "own"', "check_for_update_on_startup = false"],
      ...[
        "[model_providers.own]",
        'name = "scripted"',
        `base_url = "${origin}"`,
        'wire_api = "responses"',
      ],
      ...[`[projects.${JSON.stringify(folder)}]`, 'trust_level = "trusted"', ""],
    ].join("\n"),
  }),
  arguments: ["--no-daemon"],
  ready: /›/,
  ownArguments: ["--no-daemon"],
  enables: "/ide on",
  proposes: false,
};

/** The six command lines, by their names for `idewire run`. */
export const publishedAgents: readonly PublishedAgent[] = [
  claude,
  opencode,
  gemini,
  qwen,
  copilot,
  codex,
];
