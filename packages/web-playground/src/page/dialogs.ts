// One piece of the page: what opens over it, and what it saves and opens.

export { CommandPalette } from "../commands/command-palette.tsx";
export { HeldFrames } from "../faults/held-frames.tsx";
export { PresenterNotes } from "../tours/presenter-notes.tsx";
export { openFromAddress } from "./open-address.ts";
export { OpenDialog } from "./open-dialog.tsx";
