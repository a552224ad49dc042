import { guardFocus } from "./focus-guard.ts";
import { loadTours } from "./sample.ts";
import type { Session } from "./session.ts";
import type { ViewState } from "./view-state.ts";

/** What a newcomer does not need at once, but soon. */
export function runWhenIdle(session: Session, view: ViewState): void {
  guardFocus();
  void loadTours();
  void view.rows.load();
  void import("./code/review-editor.ts");
  void import("./problem-feed.ts").then(({ feedProblems }) => feedProblems(session));
}
