/** Settings and the first steps. */
export const settings = {
  sharing: "Sharing",
  unsaved: "The settings hold until Obsidian closes, and could not be saved: {reason}",
  share: "Share with agents",
  shareDesc: "What a connected agent is told without asking. Reviews work with each.",
  paused: "Pause sharing",
  pausedDesc: "Agents stay connected and are told nothing.",
  mark: "Mark what agents know",
  markDesc: "The selected text stays faintly marked while you are in a terminal.",
  excluded: "Never shared",
  obsidian: "Respect excluded files",
  obsidianDesc: "What Obsidian excludes under files and links is not shared either.",
  property: "Exclude one note",
  propertyDesc: "A note whose properties say agent: false is never shared.",
  folders: "Excluded folders",
  foldersEmpty: "No folder is excluded.",
  addFolder: "Add folder",
  tags: "Excluded tags",
  tagsEmpty: "No tag is excluded.",
  addTag: "Add tag",
  reviews: "Reviews",
  layout: "Layout of a review",
  layoutDesc: "How a proposed change is shown; the button in its tab switches too.",
  layoutUnified: "One text with both versions",
  layoutSideBySide: "Both versions side by side",
  history: "Keep a history of reviews",
  historyDesc:
    "Texts before and after, on this device only: never in the vault, and not of what is excluded.",
  historyOff: "Off",
  "days.one": "{count} day",
  "days.other": "{count} days",
  historyShow: "What agents proposed, what became of it, and ways to bring it back.",
  advanced: "Advanced",
  config: "Configuration folder of Claude Code",
  configDesc: "Only where your terminal names another one for it. Counts after a reconnect.",
  last: "Last shared",
  lastDesc: "The exact text that agents were told.",
} as const;

export const first = {
  title: "Connect an agent to this vault",
  one: "Copy the command and run it in a terminal.",
  two: "Select something in a note: the agent knows.",
  three:
    "Ask for a change, and review it here before it lands. Claude Code asks in its mode default alone: Shift+Tab there changes the mode.",
  copy: "Copy command",
  privacy: "The status bar shows what is shared, and pauses it.",
  done: "Got it",
} as const;

export const command = {
  connection: "Show connection",
  pause: "Pause or resume sharing",
  copy: "Copy the line that connects an agent",
} as const;

export const cli = {
  status: "Show whether agents are connected, and what they are told",
  send: "Send a note to the connected agents",
  sendPath: "Path of the note in the vault; the active one when left out",
  sendLines: "First and last line, such as 3-7",
  diff: "List the changes that wait for a review",
  noDiffs: "No change waits for a review.",
  badLines: "lines: {value} is not a line such as 3, or lines such as 3-7",
} as const;
