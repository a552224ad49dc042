import { guardFocus } from "./focus-guard.ts";
import { loadTours } from "./sample.ts";
import type { Session } from "./session.ts";
import type { ViewState } from "./view-state.ts";

/** What a newcomer does not need at once, but soon. */
export function runWhenIdle(session: Session, view: ViewState): void {
  guardFocus();
  void loadTours();
  void view.rows.load();
  void import("./ui/review.tsx");
  void import("./problem-provider.ts").then(({ providerProblems }) => providerProblems(session));
  keepOffline();
}

/** Where nothing is behind the page, it is there without a network as well. */
function keepOffline(): void {
  if (document.documentElement.dataset["live"] !== undefined) return;
  if (!("serviceWorker" in navigator) || !location.protocol.startsWith("http")) return;
  navigator.serviceWorker.register("./service-worker.js").catch(() => {
    // Without it the page is only not there offline.
  });
}
