import { useEffect } from "preact/hooks";
import { type PageContext, usePage } from "../state/page-context.ts";
import type { WantedCommand } from "./commands.ts";
import { DropTarget } from "./drop-target.tsx";
import { singleKeys } from "./single-keys.ts";

/** The keys of commands, which are loaded at the first press. */
const KEYS = new Set(["Space", "[", "]", "/", "?", "f", "m"]);
/** Those of presenter mode. */
const PRESENTER_KEYS = new Set(["Escape", "PageDown"]);

/** Listens to the keys, and to what is dropped, while it is there. */
export function Keys() {
  const page = usePage();
  useEffect(() => listenForKeys(page), [page]);
  return <DropTarget />;
}

/** The keys that work anywhere; single ones only outside of fields. */
function listenForKeys(page: PageContext): () => void {
  const { view } = page;
  const onkey = (event: KeyboardEvent): void => {
    if (event.key === "F6") {
      event.preventDefault();
      run(page, { panes: event.shiftKey ? -1 : 1 });
      return;
    }
    if (event.key === "Escape" && document.activeElement?.id === "frame-view") {
      view.pane.value = "wire";
      window.setTimeout(() => document.querySelector<HTMLElement>(".wire-list")?.focus());
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isField(event)) return;
    const key = event.key === " " ? "Space" : event.key;
    const isOurs =
      (singleKeys.value && KEYS.has(key)) || (view.presenter.value && PRESENTER_KEYS.has(key));
    if (!isOurs || (key === "Space" && isButton(event))) return;
    event.preventDefault();
    run(page, { key });
  };
  window.addEventListener("keydown", onkey);
  return () => window.removeEventListener("keydown", onkey);
}

function run(page: PageContext, wanted: WantedCommand): void {
  void import("./dialogs.ts").then(({ findCommand }) => findCommand(page, wanted)?.run());
}

function isField(event: KeyboardEvent): boolean {
  return event.composedPath().some((target) => {
    if (!(target instanceof HTMLElement)) return false;
    return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT|DIALOG)$/.test(target.tagName);
  });
}

function isButton({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest("button, summary, [role=tab]") !== null;
}
