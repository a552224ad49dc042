export { createDraft } from "./create-draft.ts";
export { decide, type HunkDecision, hunkAt, hunkAtCursor } from "./decide.ts";
export { goToHunk, showHunk } from "./review/go-to-hunk.ts";
export { type Hunk, hunksOf, pendingHunks, trackHunks } from "./review/hunks.ts";
export { CHANGED_ON_BOTH_SIDES, describePlace, type HunkPlace } from "./review/place.ts";
export { selectedLines } from "./selected-lines.ts";
