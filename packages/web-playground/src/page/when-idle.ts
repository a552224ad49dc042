// One chunk of the page: what is needed soon, but not at once.
export { Past, Recording, TourWords, Transport } from "../tours/tour-bar.tsx";
export { FilterOptions } from "../wire/filter-options.tsx";
export { AllDone, NothingFound } from "./endings.tsx";
export { runWhenIdle } from "./run-when-idle.ts";
