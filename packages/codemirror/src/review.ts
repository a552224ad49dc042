export { baseChangesIn, baseOfUnifiedView } from "./base-changes.ts";
export { createDraft } from "./create-draft.ts";
export { chunkAt, chunkAtCursor, type Decision, decide, pendingChunks } from "./decide.ts";
export { findHiddenChanges, type HiddenChanges } from "./hidden-changes.ts";
export { diffSequences, type SequenceChange, splitLines } from "./sequence-diff.ts";
