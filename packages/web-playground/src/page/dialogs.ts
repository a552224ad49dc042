// One chunk of the page: dialogs, and what they save and open.

export { CommandPalette } from "../commands/command-palette.tsx";
export { HeldFrames } from "../faults/held-frames.tsx";
export { PresenterNotes } from "../tours/presenter-notes.tsx";
export { openFromAddress } from "./open-address.ts";
export { OpenDialog } from "./open-dialog.tsx";
