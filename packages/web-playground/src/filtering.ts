// A file of its own, so that it is loaded when somebody filters.
export { completeFilter, FilteredFrames, parseFilter } from "@idewire/core/trace";
