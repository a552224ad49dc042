import { effect } from "@preact/signals";
import { registerPageCommands } from "../commands/page-commands.ts";
import type { PageContext } from "../state/page-context.ts";
import type { PageModel } from "../state/page-model.ts";
import type { PageViewState } from "../state/view-state.ts";
import { loadTours } from "../tours/loaded-tours.ts";
import { guardFocus } from "./focus-guard.ts";

/** What a newcomer does not need at once, but soon. */
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

/** A newcomer sees what a frame says without having to look for it: the first of each log. */
function chooseFirst(model: PageModel, view: PageViewState): void {
  effect(() => {
    void model.version.value;
    const [first] = model.own.index.frames;
    if (model.kind.value === "live" || view.selected.value !== undefined) return;
    if (first !== undefined) view.selected.value = first.n;
  });
}

/** Where nothing is behind the page, it is there without a network as well. */
function keepOffline(): void {
  if (document.documentElement.dataset["live"] !== undefined) return;
  if (!("serviceWorker" in navigator) || !location.protocol.startsWith("http")) return;
  navigator.serviceWorker.register("./service-worker.js").catch(() => {
    // Without it the page is only not there offline.
  });
}
