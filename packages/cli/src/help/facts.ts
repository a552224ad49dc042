/** The effect of each variable, for all commands that read it. */
export const environmentFacts = {
  HOME: "where ~ is: the lock files of all agents and editors are below it",
  CLAUDE_CONFIG_DIR:
    "a directory to use instead of ~/.claude; must be the same for editor and agent (opencode ignores it)",
  XDG_STATE_HOME: "where idewire keeps its state, instead of ~/.local/state",
  XDG_CONFIG_HOME: "where Emacs has its directory, instead of ~/.config",
  XDG_DATA_HOME: "where Neovim keeps its packages, instead of ~/.local/share",
  CLAUDE_CODE_SSE_PORT: "the port of the editor to use, whatever its folders are",
  CLAUDE_CODE_IDE_HOST_OVERRIDE: "the machine on which the editor listens",
  CLAUDE_CODE_IDE_SKIP_VALID_CHECK: "true: use an editor of any folder",
  WSL_DISTRO_NAME: "set by WSL: also look for editors on Windows",
  "VISUAL, EDITOR": "the editor for edit and e, a shell command such as code --wait",
  IDEWIRE_COMMENTS_TOKEN: "the token for clients of comments serve --http, 16 bytes or more",
  PAGER: "the pager for view; less if it is not set",
  HTTPS_PROXY: "the proxy for https addresses",
  HTTP_PROXY: "the proxy for http addresses",
  NO_PROXY: "hosts to connect to without a proxy, separated by commas, as this machine always is",
  NO_COLOR: "print without colours",
  FORCE_COLOR: "print colours even without a terminal",
} as const;

export type EnvironmentName = keyof typeof environmentFacts;

/** The purpose of each file. */
export const fileFacts = {
  "~/.claude/ide/<port>.lock": "leads Claude Code and opencode to an editor; contains a token",
  "~/.copilot/ide/<name>.lock": "the same for Copilot CLI",
  "~/.claude-code/<port>.json": "the same for the clients of the jetbrains dialect",
  "~/.local/state/idewire/": "ports, tokens and logins, and sockets for key bindings",
} as const;

export type FileName = keyof typeof fileFacts;
