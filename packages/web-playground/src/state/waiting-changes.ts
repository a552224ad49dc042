import { countOf } from "@idewire/core/internal/base";
import { effect } from "@preact/signals";
import type { PageContext } from "./page-context.ts";

/**
 * A diff that arrives while a text has the focus does not replace the text or take the focus: it is listed above the
 * file. The title shows the number of pending diffs; while the page is hidden, so does a notification, if permitted.
 */
export function announceChanges({ model, view }: PageContext): () => void {
  let known: ReadonlySet<string> = new Set();
  return effect(() => {
    const { reviews } = model.state.value;
    const isNew = reviews.some(({ id }) => !known.has(id));
    if (known.size === 0 && isNew && isInText()) view.showsFile.value = true;
    known = new Set(reviews.map(({ id }) => id));
    const waiting = describeWaiting(known.size);
    document.title = [...waiting, document.title.replace(/^\d+ changes? waiting - /, "")].join(
      " - ",
    );
    if (isNew && document.hidden) notify(waiting.join(), reviews.at(-1)?.path ?? "");
  });
}

/** Whether the browser could notify the person, but has not been allowed or forbidden to. */
export function mayAskToNotify(): boolean {
  return typeof Notification !== "undefined" && Notification.permission === "default";
}

function describeWaiting(count: number): readonly string[] {
  return count === 0 ? [] : [`${countOf(count, "change")} waiting`];
}

function notify(title: string, path: string): void {
  if (typeof Notification === "undefined" || Notification.permission !== "granted") return;
  // A later one replaces an earlier one.
  const notification = new Notification(title, { body: path, tag: "idewire-changes" });
  notification.addEventListener("click", () => window.focus());
}

/** Whether what is typed now goes into a text. */
function isInText(): boolean {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  if (active === null || !document.hasFocus()) return false;
  const isText = active.matches(
    "input:not([type=checkbox], [type=radio], [type=button]), textarea",
  );
  return isText || active.matches("[contenteditable]:not([contenteditable=false])");
}
