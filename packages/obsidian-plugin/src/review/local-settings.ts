import type { App } from "obsidian";
import type { ReviewSettings } from "./context.ts";

const LAYOUT_KEY = "idewire-review-layout";
const HISTORY_DAYS = 30;

/** Keeps the layout that the person chose last, in this vault on this device. */
export function localReviewSettings(app: App): ReviewSettings {
  return {
    get layout() {
      return app.loadLocalStorage(LAYOUT_KEY) === "side-by-side" ? "side-by-side" : "unified";
    },
    historyDays: HISTORY_DAYS,
    setLayout: (layout) => app.saveLocalStorage(LAYOUT_KEY, layout),
  };
}
