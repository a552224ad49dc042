/** The descriptions of the tools in all implementations. */
export const toolTexts = {
  echo: "Returns its text",
  openDiff: "Shows a proposed change in the editor and waits for the person's answer",
  filler: "Opens a file of the workspace at a line and shows it to the person",
  filePath: "Absolute path of the file",
  line: "The line to show, counted from 0",
  preview: "Whether the next file may replace it",
} as const;

/** Names of the tools beyond `echo` and `openDiff` that fill a list of `toolCount`. */
export function fillerNames(toolCount: number): readonly string[] {
  return Array.from({ length: Math.max(0, toolCount - 2) }, (_, index) => `filler_${index}`);
}
