// One chunk of the page: all of it is needed to inspect.
export { InspectBar } from "./inspect-bar.tsx";
export { InspectGuide } from "./inspect-guide.tsx";
export { InspectPane } from "./inspect-pane.tsx";
export { Inspector } from "./inspector.ts";
