// Loaded with the first filter.
export { parseFilter } from "@idewire/devtools/trace";
export { filterFrames } from "./filter-frames.ts";
