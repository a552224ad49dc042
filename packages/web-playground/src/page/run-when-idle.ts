import { effect } from "@preact/signals";
import { registerPageCommands } from "../commands/page-commands.ts";
import type { PageContext } from "../state/page-context.ts";
import type { PageModel } from "../state/page-model.ts";
import type { PageViewState } from "../state/view-state.ts";
import { loadTours } from "../tours/loaded-tours.ts";
import { guardFocus } from "./focus-guard.ts";

/** Loads the modules that are needed soon after the first view. */
export function runWhenIdle(page: PageContext): void {
  const { model, view } = page;
  effect(() => registerPageCommands(page));
  guardFocus();
  void loadTours();
  void view.rows.load();
  void import("../review/review-pane.tsx");
  void import("../state/find-problems.ts").then(({ findProblems }) => findProblems(model));
  chooseFirst(model, view);
  keepOffline();
}

/** Selects the first frame of each log, so that the frame pane is not empty. */
function chooseFirst(model: PageModel, view: PageViewState): void {
  effect(() => {
    void model.version.value;
    const [first] = model.own.index.frames;
    if (model.kind.value === "live" || view.selected.value !== undefined) return;
    if (first !== undefined) view.selected.value = first.n;
  });
}

/** Makes the standalone page work offline. */
function keepOffline(): void {
  if (document.documentElement.dataset["live"] !== undefined) return;
  if (!("serviceWorker" in navigator) || !location.protocol.startsWith("http")) return;
  navigator.serviceWorker.register("./service-worker.js").catch(() => {
    // Without it, the page does not work offline.
  });
}
