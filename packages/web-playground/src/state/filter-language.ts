// Loaded when something is filtered.
export { FilteredFrames, parseFilter } from "@idewire/devtools/trace";
