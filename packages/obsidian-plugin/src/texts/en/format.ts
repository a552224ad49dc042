/** The formatter. */
export const format = {
  "format.command": "Format this note",
  "format.failed": "The note was not formatted: {reason}",
  "format.heading": "Formatting",
  "format.setting": "Format notes with",
  "format.settingDesc": "Used when an agent asks for it. Other plugins format open notes only.",
  "format.own": "Built-in formatter",
} as const;
