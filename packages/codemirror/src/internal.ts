export { baseChangesIn, baseOfUnifiedView } from "./base-changes.ts";
export { deletesMuch, diffProse } from "./compare-once.ts";
export { createDraft } from "./create-draft.ts";
export { decide, type HunkDecision, hunkAt, hunkAtCursor, pendingHunks } from "./decide.ts";
export {
  describeHiddenChanges,
  findHiddenChanges,
  type HiddenChanges,
} from "./hidden-changes.ts";
export { separateChunks } from "./separate-chunks.ts";
