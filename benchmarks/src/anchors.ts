export { measureAnchors } from "./anchors/main.ts";
