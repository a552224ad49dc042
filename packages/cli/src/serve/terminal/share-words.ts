import type { ShareLevel } from "@idewire/core";

/** What a level means, in words for people. */
export function describeShare(level: ShareLevel): string {
  return WORDS[level];
}

const WORDS: Readonly<Record<ShareLevel, string>> = {
  off: "nothing; agents can propose changes all the same",
  path: "which file is active",
  selection: "the active file, what is selected in it, and diagnostics",
  all: "active file, selection, diagnostics, open files, unsaved text",
};
