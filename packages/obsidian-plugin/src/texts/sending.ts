import { claudeCommand } from "@idewire/core/internal";
import { countOf } from "@idewire/core/internal/base";
import { text, type Value, type Values } from "./text.ts";

/** Sending notes to agents. */
export const send = {
  selection: "Send selection to agent",
  note: "Send note to agent",
  section: "Send section to agent",
  block: "Send block to agent",
  file: "Send to agent",
  files: (count: number) => `Send ${countOf(count, "file")} to agent`,
  nobody: `No agent is connected. Run ${claudeCommand} in this vault's folder.`,
  paused: "Sharing is paused. Resume it to send notes to an agent.",
  off: "Sharing is off. Choose in the settings what agents may see.",
  excluded: ({ note, why }: Values<"note" | "why">) => text`${note} was not sent: ${why}.`,
  sent: ({ what, agent }: Values<"what" | "agent">) => text`Sent ${what} to ${agent}`,
  sentToAll: (what: Value) => text`Sent ${what} to all agents`,
  unable: (agents: Value) => text`${agents} cannot be sent notes.`,
  everyone: "All agents",
  choose: "Send to which agent?",
  counted: (count: number) => countOf(count, "file"),
  noNote: "The dropped text does not contain a note.",
};

/** Opening links to notes. */
export const open = {
  outside: (path: Value) => text`${path} is not in this vault.`,
  missing: (path: Value) => text`There is no note ${path} in this vault.`,
  noPath: "The link does not name a note.",
};
