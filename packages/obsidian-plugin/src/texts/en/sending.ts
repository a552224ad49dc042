/** Sending notes to agents, and opening what they name. */
export const send = {
  selection: "Send selection to agent",
  note: "Send note to agent",
  section: "Send section to agent",
  block: "Send block to agent",
  file: "Send to agent",
  "files.one": "Send {count} file to agent",
  "files.other": "Send {count} files to agent",
  nobody: "No agent is connected. Run claude --ide in this vault's folder.",
  paused: "Sharing is paused. Resume it to send notes to an agent.",
  off: "Sharing is off. Choose in the settings what agents may see.",
  excluded: "{note} was not sent: {why}.",
  sent: "Sent {what} to {agent}",
  sentToAll: "Sent {what} to all agents",
  everyone: "All agents",
  choose: "Send to which agent?",
  "counted.one": "{count} file",
  "counted.other": "{count} files",
  noNote: "The dropped text does not contain a note.",
} as const;

export const open = {
  outside: "{path} is not in this vault.",
  missing: "There is no note {path} in this vault.",
  noPath: "The link does not name a note.",
} as const;
