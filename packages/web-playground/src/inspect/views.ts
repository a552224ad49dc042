// One piece of the page: who looks on needs all of it, and nobody else any.
export { InspectBar } from "./inspect-bar.tsx";
export { InspectGuide } from "./inspect-guide.tsx";
export { InspectPane } from "./inspect-pane.tsx";
export { Inspector } from "./inspector.ts";
