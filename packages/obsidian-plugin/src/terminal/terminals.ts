import { claudeCommand, shellQuote } from "@idewire/core/internal";

/** A program that opens a terminal and runs the agent in it; its working directory is the folder. */
export interface TerminalLaunch {
  readonly command: string;
  readonly args: readonly string[];
  /** Windows: the arguments are a command line already. */
  readonly verbatim?: boolean;
}

/** Programs that open a terminal on Linux, with the arguments before the command to run in it. */
const linuxTerminals: readonly TerminalLaunch[] = [
  { command: "xdg-terminal-exec", args: [] },
  { command: "x-terminal-emulator", args: ["-e"] },
  { command: "gnome-terminal", args: ["--"] },
  { command: "ptyxis", args: ["--"] },
  { command: "konsole", args: ["-e"] },
  { command: "xfce4-terminal", args: ["-x"] },
  { command: "kitty", args: [] },
  { command: "alacritty", args: ["-e"] },
  { command: "xterm", args: ["-e"] },
];

/** Obsidian may have been started without the variable. */
const withShell = '[ -n "$SHELL" ] || SHELL=/bin/sh';

/** Runs the agent, then leaves a shell in the terminal, so that its last messages can be read. */
const agentScript = [
  withShell,
  "trap : INT",
  `if command -v idewire >/dev/null 2>&1; then idewire run claude; else ${claudeCommand}; fi`,
  "trap - INT",
  'exec "$SHELL" -i',
].join("\n");

/**
 * The agent may be on the PATH of the person's shell only. That can be any shell, so it reads no more
 * than one line without quoted text.
 */
const inShellOfPerson = [
  withShell,
  `cd -- "$1" && IDEWIRE_AGENT="$2" exec "$SHELL" -i -c 'exec sh -c "$IDEWIRE_AGENT"'`,
].join("\n");

/** The launches for Linux, in the order in which they are tried. */
export function linuxLaunches(folder: string): readonly TerminalLaunch[] {
  const shell = ["sh", "-c", inShellOfPerson, "idewire", folder, agentScript];
  return linuxTerminals.map(({ command, args }) => ({ command, args: [...args, ...shell] }));
}

/** A script for Terminal on macOS, which runs it in a login shell; it removes itself and its folder. */
export function macScript(folder: string): string {
  return [
    "#!/bin/sh",
    'rm -- "$0" && rmdir -- "$(dirname -- "$0")"',
    `cd -- ${shellQuote(folder)} || exit`,
    agentScript,
    "",
  ].join("\n");
}

/** The launch for macOS. */
export function macLaunches(script: string): readonly TerminalLaunch[] {
  return [{ command: "open", args: ["-a", "Terminal", script] }];
}

/** Without the folder, which is the working directory: a name could have characters of cmd in it. */
const windowsShell = `cmd /d /k "where /q idewire & if errorlevel 1 (${claudeCommand}) else (idewire run claude)"`;

/** The launches for Windows: Windows Terminal, or a console. */
export function windowsLaunches(folder: string): readonly TerminalLaunch[] {
  // The command interpreter cannot be in a folder of the network.
  if (folder.startsWith("\\\\")) return [];
  return [
    { command: "wt.exe", args: ["-d", ".", windowsShell], verbatim: true },
    { command: "cmd.exe", args: ["/d", "/c", 'start "Idewire"', windowsShell], verbatim: true },
  ];
}
