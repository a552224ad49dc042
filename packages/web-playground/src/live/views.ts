// One chunk of the page: all of it is needed for a folder.
export { BackendPage } from "./backend-page.tsx";
export { DoctorDialog } from "./doctor-dialog.tsx";
export { openBackend } from "./open-backend.ts";
