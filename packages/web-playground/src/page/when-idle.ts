// One piece of the page: what a newcomer does not need at once, but soon.
export { Past, Recording, TourWords, Transport } from "../tours/tour-bar.tsx";
export { AllSeen, NothingFound } from "./endings.tsx";
export { runWhenIdle } from "./run-when-idle.ts";
