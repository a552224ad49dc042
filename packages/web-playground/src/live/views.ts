// One chunk of the page: all of it is needed for a folder.
export { BackendPage } from "./backend-page.tsx";
export { FolderDialog } from "./folder-dialog.tsx";
export { openBackend } from "./open-backend.ts";
