import { text, type Value, type Values } from "./text.ts";

/** The connection panel: its state, and how to repair it. */
export const connection = {
  title: "Connection",
  failed: (reason: Value) => text`Agents cannot connect to this vault. ${reason}`,
  unsupported: "Agents cannot connect: this vault is not a folder on this computer.",
  starting: "Starting…",
  closed: "Not listening.",
  waiting: (reason: Value) =>
    text`Agents are connected to another window of this vault or to another program. ${reason}`,
  waitingAdvice: "To connect agents here, close it. This window then takes over automatically.",
  listening: (port: number) => `Agents can connect on port ${port} of this computer.`,
  published: (file: Value) => text`Published in ${file}`,
  agent: ({ name, time }: Values<"name" | "time">) =>
    text`${name} has been connected since ${time}.`,
  agentProcess: ({ name, pid, time }: Values<"name" | "pid" | "time">) =>
    text`${name} (process ${pid}) has been connected since ${time}.`,
  unreviewed: (files: Value) =>
    text`Written without a review: ${files}. Claude Code is in a mode that writes without asking. To change the mode, press Shift+Tab in its terminal.`,
  possiblyUnreviewed: ({ files, agent }: Values<"files" | "agent">) =>
    text`Written without a review: ${files}, by ${agent} or another program.`,
  noDiff: (name: Value) =>
    text`${name} does not support diffs: it writes files without a review here.`,
  nobody: "No agent is connected.",
  nobodyAdvice:
    "Run the command below in a terminal. If an agent is already running, type /ide in it to connect.",
  command: "Connect from a terminal",
  commandDesc: "Starts Claude Code in this vault and connects it.",
  open: "Open a terminal here",
  noTerminal: (command: Value) =>
    text`No terminal could be opened. Open one yourself and run: ${command}`,
  copy: "Copy",
  copied: "Copied. Paste it into a terminal.",
  notCopied: (uncopied: Value) => text`Could not copy this: ${uncopied}`,
  check: "Check again",
  reconnect: "Reconnect",
  fileAdvice: "Make that folder writable, then reconnect.",
  off: "Sharing is off: agents receive nothing. Reviews still work.",
  warning: (reason: Value) => text`Agents can connect, but there is a problem: ${reason}`,
  wsl: "An agent in the Windows Subsystem for Linux finds this vault if it runs in the same folder under /mnt.",
};
