// One chunk of the page: all of it is needed for a folder.
export { DoctorDialog } from "./doctor-dialog.tsx";
export { LiveBar } from "./live-bar.tsx";
export { LiveFiles } from "./live-files.tsx";
export { LiveGuide } from "./live-guide.tsx";
export { openBehind } from "./open-behind.ts";
