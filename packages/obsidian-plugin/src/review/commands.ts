import type { Command } from "obsidian";
import { texts } from "../texts/index.ts";
import type { ReviewsContext } from "./context.ts";
import { ReviewView } from "./view/review-view.ts";

type ReviewCommandKey = keyof typeof texts.review.command;

/** The commands of a review, without default hotkeys. */
export function reviewCommands(context: ReviewsContext): readonly Command[] {
  const { app, controller, openHistory, isFolded, setFolded } = context;
  const { isPreviewed, setPreviewed } = context;
  const { showCurrent, showNext, openUnreviewed } = context;
  const define = (
    name: string,
    key: ReviewCommandKey,
    /** The action now; undefined if it is not possible. */
    findAct: () => (() => void) | undefined,
  ): Command => ({
    id: `review-${name}`,
    name: texts.review.command[key],
    checkCallback: (isCheck) => {
      const act = findAct();
      if (!isCheck) act?.();
      return act !== undefined;
    },
  });
  const inView = (name: string, key: ReviewCommandKey, run: (view: ReviewView) => void) =>
    define(name, key, () => {
      const view = app.workspace.getActiveViewOfType(ReviewView);
      return view === null ? undefined : () => run(view);
    });
  const whilePending = (name: string, key: ReviewCommandKey, run: () => void) =>
    define(name, key, () => (controller.queue.current === undefined ? undefined : run));
  return [
    inView("next-change", "next", (view) => view.goTo("next")),
    inView("previous-change", "previous", (view) => view.goTo("previous")),
    inView("accept-change", "accept", (view) => view.decide("accept")),
    inView("reject-change", "reject", (view) => view.decide("reject")),
    inView("undo", "undo", (view) => view.step("undo")),
    inView("accept-file", "acceptFile", (view) => view.decideFile("accept")),
    inView("reject-file", "rejectFile", (view) => view.decideFile("reject")),
    inView("switch-layout", "layout", (view) => view.switchLayout()),
    inView("toggle-unchanged", "fold", () => setFolded(!isFolded())),
    inView("toggle-preview", "preview", () => setPreviewed(!isPreviewed())),
    whilePending("show", "show", showCurrent),
    whilePending("next-file", "nextFile", showNext),
    whilePending("previous-file", "previousFile", () => controller.move(-1)),
    whilePending("reject-all", "rejectAll", () => controller.rejectAll()),
    { id: "unreviewed-edits", name: texts.edits.command, callback: openUnreviewed },
    { id: "review-history", name: texts.review.command.history, callback: openHistory },
  ];
}
