// One piece of the page: what a newcomer does not need at once, but soon.
export { completeFilter, FilteredFrames, parseFilter } from "@idewire/devtools/trace";
export { runWhenIdle } from "./run-when-idle.ts";
export { AllSeen, NothingFound } from "./ui/endings.tsx";
export { Past, Recording, TourWords, Transport } from "./ui/tour.tsx";
