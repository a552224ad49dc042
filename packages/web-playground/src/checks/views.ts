// One chunk of the page: all of it is needed to check an editor.

export { ChecksView } from "./checks-view.tsx";
export { TraceViewer } from "./trace-viewer.tsx";
