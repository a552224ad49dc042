export { createDraft } from "./create-draft.ts";
export { decide, type HunkDecision, hunkAt, hunkAtCursor } from "./decide.ts";
export { goToHunk, showHunk } from "./review/go-to-hunk.ts";
export { type Hunk, hunksOf, pendingHunks, toHunks, trackHunks } from "./review/hunks.ts";
export { describePlace, type HunkPlace } from "./review/place.ts";
