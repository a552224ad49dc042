import type { DialectAgent } from "@idewire/core/internal";
import { askingModeWords } from "@idewire/core/internal";
import { countOf } from "@idewire/core/internal/base";
import { text, type Value } from "./text.ts";

export const settings = {
  sharing: "Sharing",
  unsaved: (reason: Value) =>
    text`The settings could not be saved and apply only until Obsidian closes: ${reason}`,
  unreadable: (file: Value) =>
    text`The settings cannot be read. Nothing is shared until you choose again what to share. The unreadable settings are in ${file}`,
  share: "Share with agents",
  shareDesc: "What agents receive. Reviews work at every level.",
  paused: "Pause sharing",
  pausedDesc: "Agents stay connected and receive nothing.",
  mark: "Highlight the shared selection",
  markDesc: "It stays faintly highlighted while you are in a terminal.",
  excluded: "Never shared",
  excludedDesc: "Folders, tags and notes that no agent receives.",
  obsidian: "Respect excluded files",
  obsidianDesc: "Files that Obsidian itself excludes are not shared.",
  property: "Exclude one note",
  propertyDesc: "A note with agent: false in its properties is never shared.",
  folders: "Excluded folders",
  foldersEmpty: "No folder is excluded.",
  remove: "Remove",
  addFolder: "Add folder",
  tags: "Excluded tags",
  tagsEmpty: "No tag is excluded.",
  addTag: "Add tag",
  more: "More",
  reviews: "Reviews",
  reviewsDesc: "Layout, history and keys.",
  layout: "Review layout",
  layoutDesc: "A button in the review tab also switches it.",
  layoutUnified: "One text with both versions",
  layoutSideBySide: "Both versions side by side",
  history: "Keep a review history",
  historyDesc: "On this device, outside the vault, without excluded notes.",
  historyOff: "Off",
  days: (count: number) => countOf(count, "day"),
  historyShow: "See past proposals and restore texts.",
  agents: "Other agents",
  agentsDesc: "Agents that may connect beside Claude Code.",
  none: "None",
  agentDesc: ({ title, enable }: Pick<DialectAgent, "title" | "enable">) =>
    enable === undefined
      ? `${title} may connect to this vault.`
      : `In it, type ${enable.command} ${enable.often}.`,
  advanced: "Advanced",
  advancedDesc: "Highlight of the selection, configuration folder.",
  config: "Claude Code configuration folder",
  configDesc: "If your terminal uses another one. Applies after you reconnect.",
  last: "Last shared",
  lastDesc: "The exact text that agents received.",
};

/** The notice at the first start. */
export const first = {
  title: "Connect an agent to this vault",
  one: "Open a terminal here, or copy the command and run it in one.",
  two: "Select something in a note: the agent sees it.",
  three: `Ask for a change and review it here before it is written. If no review opens, press Shift+Tab in the terminal: Claude Code asks only in ${askingModeWords}.`,
  copy: "Copy command",
  privacy: "The status bar shows what is shared. Click it to pause sharing.",
  done: "Got it",
};

export const command = {
  connection: "Show the connection to coding agents",
  pause: "Pause or resume sharing with coding agents",
  copy: "Copy the command that connects a coding agent",
  terminal: "Open a terminal here with a coding agent",
};

/** Handlers of Obsidian's own command line. */
export const cli = {
  status: "Show which agents are connected and what they receive",
  send: "Send a note to the connected agents",
  sendPath: "Path of the note in the vault; the active note if omitted",
  sendLines: "First and last line, such as 3-7",
  diff: "List the pending reviews",
  noDiffs: "No review is pending.",
  badLines: (value: Value) =>
    text`lines: expected a line such as 3, or lines such as 3-7; got ${value}`,
};
