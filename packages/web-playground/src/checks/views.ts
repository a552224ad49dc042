// One piece of the page: who checks an editor needs all of it.

export { ChecksView } from "./checks-view.tsx";
export { TraceViewer } from "./trace-viewer.tsx";
