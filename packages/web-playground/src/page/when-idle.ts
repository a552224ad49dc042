// One chunk of the page: the modules that are needed soon after the first view.
export { Past, Recording, Speed, TourMenu, TourWords, Transport } from "../tours/tour-bar.tsx";
export { FilterBox, FilterIssueLine } from "../wire/filter-box.tsx";
export { Legend } from "../wire/legend.tsx";
export { DropTarget } from "./drop-target.tsx";
export { AllDone, NoFrame, NothingFound, ReviewsWait, ToReview } from "./endings.tsx";
export { More } from "./more.tsx";
export { PaneTabs } from "./pane-tabs.tsx";
export { runWhenIdle } from "./run-when-idle.ts";
export { Scrubber } from "./scrubber.tsx";
