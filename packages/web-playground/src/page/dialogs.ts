// One piece of the page: what opens over it, and what it saves and opens.

export { FaultsDialog } from "../faults/faults-dialog.tsx";
export { ShareDialog } from "../share/share-dialog.tsx";
export { PresenterNotes } from "../tours/presenter-notes.tsx";
export { FiltersDialog } from "../wire/filters-dialog.tsx";
export { CommandPalette } from "./command-palette.tsx";
export { findCommand } from "./commands.ts";
export { KeysDialog } from "./keys-dialog.tsx";
export { openFromAddress } from "./open-address.ts";
