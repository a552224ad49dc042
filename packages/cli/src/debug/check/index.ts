// For authors of editors: checks the rules that agents rely on, in a test or a build step.

export type { CheckEditorOptions } from "./check-editor.ts";
export { checkEditor } from "./check-editor.ts";
export type { FoundTarget } from "./find-target.ts";
export { findTarget, readTarget } from "./find-target.ts";
