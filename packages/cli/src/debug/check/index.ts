// For authors of editors: the rules that agents rely on, checked in a test or as a step of a build.

export type { CheckEditorOptions } from "./check-editor.ts";
export { checkEditor } from "./check-editor.ts";
export type { FoundTarget } from "./find-target.ts";
export { findTarget, readTarget } from "./find-target.ts";
