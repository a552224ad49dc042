import type { ShareLevel } from "@idewire/core";

/** Describes a share level to people. */
export function describeShare(level: ShareLevel): string {
  return WORDS[level];
}

const WORDS: Readonly<Record<ShareLevel, string>> = {
  off: "nothing; agents can still propose changes",
  path: "which file is active",
  selection: "the active file, the selection in it, and diagnostics",
  all: "active file, selection, diagnostics, open files, unsaved text",
};
