export { type Draft, draftOfText, textOfDraft } from "./draft.ts";
export { draftOf, editDraft, replaceDraft } from "./draft-field.ts";
export { type DocumentChange, type Lines, linesAfter } from "./lines-after.ts";
export { joinText, layOut, withEnding } from "@idewire/core/internal";
export { diagnosticsIn, toMarkers } from "./markers.ts";
export { minimalChange } from "./minimal-change.ts";
export { offsetOf, positionOf, rangeOf } from "./positions.ts";
