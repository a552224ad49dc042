// One chunk of the page: all of it is needed to inspect.
export { InspectPage } from "./inspect-page.tsx";
export { Inspector } from "./inspector.ts";
