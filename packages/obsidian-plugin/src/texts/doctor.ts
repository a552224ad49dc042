import { askingModeWords } from "@idewire/core/internal";
import { text, type Value, type Values } from "./text.ts";

/** The findings of the steps of `idewire doctor`, by the id of the step. */
export const doctor = {
  agents: {
    open: ({ agent, path }: Values<"agent" | "path">) =>
      text`${agent} may not connect: ${path} is open to other users of this computer, or belongs to one.`,
  },
  directory: {
    open: (folder: Value) => text`Other users of this computer can read ${folder}`,
    openAdvice: (command: Value) => text`Run this in a terminal: ${command}`,
  },
  files: {
    leftovers: (count: number) =>
      count === 1
        ? "There is 1 stale lock file in the same folder."
        : `There are ${count} stale lock files in the same folder.`,
    leftoversAdvice: "Claude Code removes them when it starts; other agents may fail on them.",
  },
  only: {
    several: ({ name, port }: Values<"name" | "port">) =>
      text`${name} is also open on this folder, on port ${port}.`,
    severalAdvice:
      "Agents connect automatically only if exactly one editor matches. Type /ide in the agent, or close the other editor.",
  },
  process: {
    missing: (file: Value) => text`The discovery file for this vault is missing: ${file}`,
    missingAdvice: "Reconnect to publish it again.",
    passedOver: (why: Value) => text`Agents skip this vault: ${why}.`,
  },
  reviews: {
    mode: `Claude Code opens reviews here only in ${askingModeWords}.`,
    modeAdvice:
      "If no review opens, press Shift+Tab in its terminal until the line below the prompt names that mode, or none.",
    terminal: "Claude Code is set to show its changes in its terminal, so no review opens here.",
    terminalAdvice:
      "Set diffTool to auto in its configuration: type /config there, or edit .claude.json.",
  },
};
