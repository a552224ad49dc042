/** Edits that were written without a review. */
export const edits = {
  title: "Edits without a review",
  show: "Show the edits",
  empty:
    "No edits without a review. While an agent is connected, notes that it writes without asking you are listed here.",
  // Git, a synchronisation or a script writes notes as well.
  while: "An agent or another program, while connected: {agents}",
  undo: "Undo this edit",
  undone: "{name} is as it was before this edit.",
  changed:
    "{name} was left as it is, because it has changed since this edit. Restore the previous text instead and choose what to take back.",
  failed: "{name} could not be written: {reason}",
  command: "Show edits that agents wrote without a review",
} as const;
