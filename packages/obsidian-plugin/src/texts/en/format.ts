/** The formatter. */
export const format = {
  command: "Format this note",
  failed: "The note was not formatted: {reason}",
  heading: "Formatting",
  setting: "Format notes with",
  settingDesc: "Used when an agent asks for it. Other plugins can only format open notes.",
  own: "Built-in formatter",
} as const;
