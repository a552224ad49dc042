// Loaded when something is filtered.
export { completeFilter, FilteredFrames, parseFilter } from "@idewire/devtools/trace";
