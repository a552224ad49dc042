export { type ChangeBounds, ChangeList, type WrittenChange } from "../ide/changes/change-list.ts";
export { findHunks } from "./find-hunks.ts";
export {
  changedEndings,
  describeHiddenChanges,
  findHiddenChanges,
  type HiddenChanges,
} from "./hidden-changes.ts";
export {
  findConflicts,
  type MergedText,
  mergeTexts,
  type OutdatedProposal,
} from "./merge.ts";
export {
  keepHunk,
  type LineRange,
  lineHunks,
  type RestoredText,
  restoreAll,
  restoreHunk,
  touches,
  type UndecidedText,
  type WrittenText,
} from "./restore.ts";
export { diffSequences, locate, type SequenceChange, splitLines } from "./sequences.ts";
export { diffWords, marksOf, splitWords } from "./words.ts";
