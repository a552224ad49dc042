// Loaded when something is filtered.
export { parseFilter } from "@idewire/devtools/trace";
export { filterFrames } from "./filter-frames.ts";
