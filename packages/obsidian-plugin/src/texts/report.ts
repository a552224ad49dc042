import { countOf } from "@idewire/core/internal/base";

const notes = (count: number) => countOf(count, "note");

/** The check of all notes. */
export const report = {
  command: "Check all notes",
  title: "Problems in the vault",
  none: "Find broken links and other problems in all notes.",
  start: "Check all notes",
  again: "Check again",
  stop: "Stop",
  copy: "Copy as text",
  copied: "The report was copied.",
  running: "Checking all notes…",
  progress: (checked: number, total: number) => `${checked} of ${total} notes checked`,
  clean: (count: number) => `No problems found in ${notes(count)}.`,
  found: (count: number) => `Found in ${notes(count)}:`,
  cli: "Check all notes for broken links and other problems",
  stopped: (checked: number, total: number) => `Stopped after ${checked} of ${total} notes.`,
  cut: (listed: number, found: number) => `The first ${listed} of ${found} are listed.`,
  excluded: (count: number) =>
    count === 1 ? "1 excluded note was skipped." : `${count} excluded notes were skipped.`,
  counted: {
    error: (count: number) => countOf(count, "error"),
    warning: (count: number) => countOf(count, "warning"),
    information: (count: number) => countOf(count, "info"),
    hint: (count: number) => countOf(count, "hint"),
  },
  kind: { error: "Error", warning: "Warning", information: "Info", hint: "Hint" },
};
