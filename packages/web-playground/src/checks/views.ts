// One piece of the page: who checks an editor needs all of it.
export { TraceViewer } from "./aside.tsx";
export { ChecksView } from "./checks-view.tsx";
