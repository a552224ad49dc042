// One piece of the page: that which has a folder behind it.
export { DoctorDialog } from "./doctor-dialog.tsx";
export { LiveBar } from "./live-bar.tsx";
export { LiveFiles } from "./live-files.tsx";
export { LiveGuide } from "./live-guide.tsx";
export { openBehind } from "./open-behind.ts";
