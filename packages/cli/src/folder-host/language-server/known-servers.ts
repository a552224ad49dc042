/** The languages of well-known servers, by the name of their program. */
const LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  "basedpyright-langserver": ["python"],
  "bash-language-server": ["shellscript"],
  clangd: ["c", "cpp"],
  "css-languageserver": ["css", "scss", "less"],
  gopls: ["go"],
  "haskell-language-server-wrapper": ["haskell"],
  "html-languageserver": ["html"],
  intelephense: ["php"],
  jdtls: ["java"],
  "kotlin-language-server": ["kotlin"],
  "lua-language-server": ["lua"],
  marksman: ["markdown"],
  metals: ["scala"],
  "pyright-langserver": ["python"],
  pylsp: ["python"],
  ruff: ["python"],
  "rust-analyzer": ["rust"],
  solargraph: ["ruby"],
  "sourcekit-lsp": ["swift"],
  svelteserver: ["svelte"],
  taplo: ["toml"],
  texlab: ["latex"],
  "typescript-language-server": ["typescript", "typescriptreact", "javascript", "javascriptreact"],
  "vscode-css-language-server": ["css", "scss", "less"],
  "vscode-html-language-server": ["html"],
  "vscode-json-language-server": ["json", "jsonc"],
  vtsls: ["typescript", "typescriptreact", "javascript", "javascriptreact"],
  "yaml-language-server": ["yaml"],
  zls: ["zig"],
};

/** The initialization options of well-known servers, by the name of their program. */
const OPTIONS: Readonly<Record<string, object>> = {
  // Without this it downloads types from the registry unasked.
  "typescript-language-server": { disableAutomaticTypingAcquisition: true },
};

/** The value of `--lsp`. */
export interface ServerCommand {
  /** The command line for the shell. */
  readonly command: string;
  /** Its name in diagnostics and messages. */
  readonly name: string;
  /** The ids of its languages; undefined for all except plain text. */
  readonly languages: readonly string[] | undefined;
  /** For `initialize`. */
  readonly options: object | undefined;
}

/** Reads `pylsp` or `python,cython=pylsp`: the languages may be named before an equals sign. */
export function parseServerCommand(text: string): ServerCommand {
  const [, named, rest = text] =
    /^([a-z][a-z0-9+#-]*(?:,[a-z][a-z0-9+#-]*)*)=(.*)$/s.exec(text) ?? [];
  const command = rest.trim();
  const words = command.split(/\s+/).map(programName);
  const known = words.find((word) => Object.hasOwn(LANGUAGES, word));
  const name = known ?? words[0] ?? command;
  const languages = named?.split(",") ?? (known === undefined ? undefined : LANGUAGES[known]);
  const options = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
  return { command, name, languages, options };
}

/** Without quotes, directories and Windows file extensions. */
function programName(word: string): string {
  const [, name = word] = /(?<![^/\\"'])([^/\\"']+)["']?$/.exec(word) ?? [];
  return name.replace(/\.(exe|cmd|bat|m?js)$/i, "");
}
