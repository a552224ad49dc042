import { countOf } from "@idewire/core/internal/base";
import { text, type Value, type Values } from "./text.ts";

/** The status bar and its menu, and reasons for exclusion. */
export const sharing = {
  none: "No agent",
  agents: (count: number) => countOf(count, "agent"),
  paused: "Paused",
  hidden: "Not shared",
  failed: "Not connected",
  waiting: "Other window",
  tipNone: "No agent is connected. Click for more.",
  tipPaused: (agents: Value) => text`Sharing is paused: ${agents} can see nothing. Click for more.`,
  tipPath: ({ agents, note }: Values<"agents" | "note">) =>
    text`${agents} can see that ${note} is open. Click for more.`,
  tipSelection: ({ agents, note }: Values<"agents" | "note">) =>
    text`${agents} can see the selected text in ${note}. Click for more.`,
  tipNothing: (agents: Value) => text`Connected: ${agents}. No note is open. Click for more.`,
  tipHidden: ({ agents, why }: Values<"agents" | "why">) =>
    text`${agents} cannot see this note: ${why}. Click for more.`,
  tipWaiting:
    "Agents are connected to another window of this vault or to another program. When that closes, this window takes over. Click for more.",
  tipFailed: "Agents cannot connect. Click for more.",
  and: (first: Value, last: Value) => text`${first} and ${last}`,
  pause: "Pause sharing",
  resume: "Resume sharing",
  level: {
    off: "Nothing",
    path: "Name of the open note",
    selection: "Open note and selected text",
    all: "All open notes and unsaved text",
  },
  why: {
    secret: "it is a private file",
    denied: "Claude Code's settings deny access to it",
    outside: "its link leads out of the vault",
    folder: (folder: Value) => text`the folder ${folder} is excluded`,
    tag: (tag: Value) => text`the tag ${tag} is excluded`,
    property: "its properties contain agent: false",
    unparsable: "its properties are not valid YAML and may contain agent: false",
    obsidian: "it is one of Obsidian's excluded files",
    unknown:
      "Obsidian does not report whether it is an excluded file; to share it, turn off that setting",
    unread: "its properties have not been read yet",
  },
  isPaused: "Sharing is paused",
  isResumed: "Sharing has resumed",
};

/** The list of what was last shared. */
export const last = {
  title: "Last shared",
  open: "Show what coding agents last received",
  nothing: "Nothing has been shared since Obsidian started.",
  note: "Everything was sent to agents on this computer.",
  selection: ({ agent, path, lines }: Values<"agent" | "path" | "lines">) =>
    text`${agent} received the selected text in ${path}, ${lines}`,
  opened: ({ agent, path }: Values<"agent" | "path">) =>
    text`${agent} was notified that ${path} is open`,
  cleared: (agent: Value) => text`${agent} was notified that nothing is open or shared`,
  mention: ({ agent, path }: Values<"agent" | "path">) => text`You sent ${path} to ${agent}`,
  mentionLines: ({ agent, path, lines }: Values<"agent" | "path" | "lines">) =>
    text`You sent ${path}, ${lines}, to ${agent}`,
  diagnostics: ({ agent, path }: Values<"agent" | "path">) =>
    text`${agent} received the problems in ${path}`,
  someone: "An agent",
  call: ({ agent, tool }: Values<"agent" | "tool">) => text`${agent} called ${tool}`,
  line: (line: number) => `line ${line}`,
  lines: (start: number, end: number) => `lines ${start} to ${end}`,
  message: "Message as sent",
};
