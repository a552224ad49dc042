import { reviewKeys } from "@idewire/codemirror/internal/review-keys";
import { loadComments } from "../comments/load-comments.ts";
import type { LoadedComments } from "../state/comments.ts";
import type { PageContext } from "../state/page-context.ts";
import { mayAskToNotify } from "../state/waiting-changes.ts";
import { Check, X } from "../ui/icons.ts";
import { isMac } from "./keys.ts";
import type { Command } from "./registry.ts";

/** The keys of a review on this system. */
export const REVIEW_KEYS: ReturnType<typeof reviewKeys> = reviewKeys(isMac);

/** Accepts and rejects the diff that is shown. */
export function answerCommands({ view }: PageContext): readonly [Command, Command] {
  const when = (): boolean => view.answer.value !== undefined;
  return [
    {
      ...{
        id: "review.accept",
        title: "Accept the diff",
        icon: Check,
        keys: REVIEW_KEYS.accept,
        when,
      },
      run: () => view.answer.value?.("accepted"),
    },
    {
      ...{ id: "review.reject", title: "Reject the diff", icon: X, keys: REVIEW_KEYS.reject, when },
      run: () => view.answer.value?.("rejected"),
    },
  ];
}

/** Asks the browser to allow notifications of changes that wait while the page is hidden. */
export const notifyCommand: Command = {
  id: "review.notify",
  title: "Notify me of waiting changes",
  when: mayAskToNotify,
  run: () => void Notification.requestPermission(),
};

/** Comments on the open file. */
export function commentCommands({ model, view }: PageContext): readonly Command[] {
  const when = (): boolean => model.inspector === undefined;
  const define = (
    name: string,
    title: string,
    keys: readonly string[],
    act: (comments: LoadedComments) => void,
  ): Command => ({
    id: `comments.${name}`,
    title,
    keys,
    when,
    run() {
      view.pane.value = "editor";
      void loadComments(model).then(act);
    },
  });
  return [
    define("add", "Comment on this line", ["Ctrl+F9"], (all) => all.commentHere()),
    define("next", "Next comment", ["Alt+F9"], (all) => all.step(1)),
    define("previous", "Previous comment", ["Alt+Shift+F9"], (all) => all.step(-1)),
    define("search", "Search comments", [], (all) => all.find()),
  ];
}
