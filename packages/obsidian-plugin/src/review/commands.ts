import type { Command } from "obsidian";
import type { TextKey } from "../texts/index.ts";
import type { ReviewsContext } from "./context.ts";
import { ReviewView } from "./view/review-view.ts";

/** All that a person can do in a review, for keys of their choice; none has one by default. */
export function reviewCommands(context: ReviewsContext): readonly Command[] {
  const { app, texts, controller, openHistory, showCurrent, isFolded, setFolded } = context;
  const inView = (
    id: string,
    key: TextKey & `review.command.${string}`,
    run: (view: ReviewView) => void,
  ) => ({
    id,
    name: texts(key as "review.command.next"),
    checkCallback: (isCheck: boolean) => {
      const view = app.workspace.getActiveViewOfType(ReviewView);
      if (view !== null && !isCheck) run(view);
      return view !== null;
    },
  });
  const whileWaiting = (
    id: string,
    key: TextKey & `review.command.${string}`,
    run: () => void,
  ) => ({
    id,
    name: texts(key as "review.command.next"),
    checkCallback: (isCheck: boolean) => {
      const isWaiting = controller.queue.current !== undefined;
      if (isWaiting && !isCheck) run();
      return isWaiting;
    },
  });
  return [
    inView("review-next-change", "review.command.next", (view) => view.goTo("next")),
    inView("review-previous-change", "review.command.previous", (view) => view.goTo("previous")),
    inView("review-accept-change", "review.command.accept", (view) => view.decide("accept")),
    inView("review-reject-change", "review.command.reject", (view) => view.decide("reject")),
    inView("review-accept-file", "review.command.acceptFile", (view) => view.decideFile("accept")),
    inView("review-reject-file", "review.command.rejectFile", (view) => view.decideFile("reject")),
    inView("review-switch-layout", "review.command.layout", (view) => view.switchLayout()),
    inView("review-toggle-unchanged", "review.command.fold", () => setFolded(!isFolded())),
    whileWaiting("review-show", "review.command.show", showCurrent),
    whileWaiting("review-next-file", "review.command.nextFile", () => controller.move(1)),
    whileWaiting("review-previous-file", "review.command.previousFile", () => controller.move(-1)),
    whileWaiting("review-reject-all", "review.command.rejectAll", () => controller.rejectAll()),
    { id: "review-history", name: texts("review.command.history"), callback: openHistory },
  ];
}
