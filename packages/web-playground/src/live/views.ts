// One chunk of the page: all of it is needed for a folder.
export { BehindPage } from "./behind-page.tsx";
export { DoctorDialog } from "./doctor-dialog.tsx";
export { openBehind } from "./open-behind.ts";
