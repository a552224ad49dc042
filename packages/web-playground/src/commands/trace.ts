import { branch } from "../state/branch.ts";
import { moveTo, shownNumberOf } from "../state/moments.ts";
import type { PageContext } from "../state/page-context.ts";
import { set } from "../ui/controls.tsx";
import { focusWhenShown } from "./focus.ts";
import type { Command } from "./registry.ts";

/** Returns from a past moment. */
export function backToNow({ model }: PageContext): Command {
  return {
    id: "trace.now",
    title: "Back to now",
    when: () => model.cursor.value !== undefined,
    run: set(model.cursor, undefined),
  };
}

/** Moments, the filter, and the checks. */
export function traceCommands(page: PageContext): readonly Command[] {
  const { model, player, view } = page;
  const move = (by: number) => () => moveTo(model, shownNumberOf(model) + by);
  return [
    { id: "trace.previous", title: "Previous event", keys: ["["], run: move(-1) },
    { id: "trace.next", title: "Next event", keys: ["]"], run: move(1) },
    backToNow(page),
    {
      id: "simulation.branch",
      title: "Branch from this moment with a new agent",
      when: () => model.kind.value !== "live",
      run() {
        player.leave();
        branch(model);
      },
    },
    {
      id: "checks.show",
      title: "Check the editor against the rules",
      run() {
        view.pane.value = "wire";
        view.wireTab.value = "checks";
        focusWhenShown("#run-checks");
      },
    },
    {
      id: "filter.focus",
      title: "Filter frames",
      keys: ["/"],
      run() {
        view.pane.value = "wire";
        focusWhenShown("#filter");
      },
    },
    { id: "filter.clear", title: "Clear the filter", run: set(view.filter, "") },
    { id: "filters.open", title: "Saved filters", run: () => view.openDialog("filters") },
    { id: "filter.marked", title: "Show marked frames", run: set(view.filter, "is:marked") },
  ];
}
