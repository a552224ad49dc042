import type { Command } from "commander";
import type { CliIo } from "./process/io.ts";

/** Makes a command; `onExit` gets the exit code. */
export type CreateCommand = (io: CliIo, onExit: (code: number) => void) => Command;

/** A command of the help's list. Its module is loaded when the command runs, or for its own help. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<CreateCommand>;
}

export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CommandEntry[];
}

const keyCommand = (name: "open" | "select" | "mention" | "clear" | "diagnose") => async () =>
  (await import("./drive/control-command.ts")).controlCommand(name);

/** In the order of the help. */
export const commandGroups: readonly CommandGroup[] = [
  {
    title: "Serve",
    commands: [
      {
        name: "serve",
        summary: "offer a folder to agents as their editor, until Ctrl-C",
        load: async () => (await import("./serve/serve-command.ts")).createServeCommand,
      },
      {
        name: "run",
        summary: "start an agent in this terminal, connected to the editor of a folder",
        load: async () => (await import("./serve/run/run-command.ts")).createRunCommand,
      },
      {
        name: "host",
        summary: "offer another program to agents as their editor",
        load: async () => (await import("./serve/host/host-command.ts")).createHostCommand,
      },
      {
        name: "editor",
        summary: "print where the plugin of an editor is, or install it",
        load: async () => (await import("./serve/editor/editor-command.ts")).createEditorCommand,
      },
      {
        name: "bridge",
        summary: "serve the editor of a folder as an MCP server",
        load: async () => (await import("./serve/bridge/bridge-command.ts")).createBridgeCommand,
      },
      {
        name: "vault-tools",
        summary: "serve the tools of an Obsidian vault on stdin and stdout",
        load: async () => (await import("./serve/vault-tools-command.ts")).createVaultToolsCommand,
      },
    ],
  },
  {
    title: "Drive",
    commands: [
      {
        name: "open",
        summary: "make a file the active one of the editor that serves its folder",
        load: keyCommand("open"),
      },
      {
        name: "select",
        summary: "select lines of a file, for agents to see",
        load: keyCommand("select"),
      },
      {
        name: "mention",
        summary: "add a file, or lines of it, to the agents' prompts",
        load: keyCommand("mention"),
      },
      { name: "clear", summary: "clear the selection", load: keyCommand("clear") },
      {
        name: "diagnose",
        summary: "send agents the findings of a compiler or linter",
        load: keyCommand("diagnose"),
      },
      {
        name: "diffs",
        summary: "list the pending diffs",
        load: async () => (await import("./drive/review-command.ts")).createDiffsCommand,
      },
      {
        name: "review",
        summary: "show a pending diff, and answer it",
        load: async () => (await import("./drive/review-command.ts")).createReviewCommand,
      },
    ],
  },
  {
    title: "Comments",
    commands: [
      {
        name: "comments",
        summary: "manage comments beside the code, and serve them to agents",
        load: async () => (await import("./comments/comments-command.ts")).createCommentsCommand,
      },
    ],
  },
  {
    title: "MCP",
    commands: [
      {
        name: "mcp",
        summary: "use any MCP server",
        load: async () => (await import("./mcp/mcp-command.ts")).createMcpCommand,
      },
    ],
  },
  {
    title: "Debug",
    commands: [
      {
        name: "list",
        summary: "list the editors of this machine, running or stale, and why",
        load: async () => (await import("./debug/list/list-command.ts")).createListCommand,
      },
      {
        name: "doctor",
        summary: "find out why an agent does not see the editor",
        load: async () => (await import("./debug/doctor/doctor-command.ts")).createDoctorCommand,
      },
      {
        name: "call",
        summary: "call a tool of the editor, as an agent would",
        load: async () => (await import("./debug/call/call-command.ts")).createCallCommand,
      },
      {
        name: "tail",
        summary: "connect as an agent, and print what the editor sends",
        load: async () => (await import("./debug/tail/tail-command.ts")).createTailCommand,
      },
      {
        name: "inspect",
        summary:
          "the Inspector: watch an agent and its editor, or use an MCP server in the browser",
        load: async () => (await import("./debug/inspect/inspect-command.ts")).createInspectCommand,
      },
      {
        name: "check",
        summary: "check whether an editor obeys the rules that agents rely on",
        load: async () => (await import("./debug/check/check-command.ts")).createCheckCommand,
      },
      {
        name: "simulate",
        summary: "play a scripted editor and person, and check what an agent does",
        load: async () =>
          (await import("./debug/simulate/simulate-command.ts")).createSimulateCommand,
      },
      {
        name: "trace",
        summary: "summarise, compare and replay recorded sessions",
        load: async () => (await import("./debug/trace/trace-command.ts")).createTraceCommand,
      },
      {
        name: "completion",
        summary: "print a script that completes the command line",
        load: async () =>
          (await import("./debug/completion/completion-command.ts")).createCompletionCommand,
      },
    ],
  },
];
