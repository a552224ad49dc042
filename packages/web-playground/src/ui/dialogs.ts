// One piece of the page: what opens over it, and what it saves and opens.
export { findCommand } from "../commands.ts";
export { openFromAddress } from "../open-address.ts";
export { CommandPalette } from "./command-palette.tsx";
export { FaultsDialog } from "./faults-dialog.tsx";
export { PresenterNotes } from "./presenter-notes.tsx";
export { ShareDialog } from "./share-dialog.tsx";
