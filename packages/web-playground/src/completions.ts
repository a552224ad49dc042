// A file of its own, so that it is loaded when somebody types.
export { completeFilter } from "@idewire/core/trace";
