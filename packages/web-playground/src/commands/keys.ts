import { keyOf, printKey as printKeyFor } from "@idewire/codemirror/internal/review-keys";
import type { PageContext } from "../state/page-context.ts";
import { singleKeys } from "./single-keys.ts";

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** A key as the keyboard of this system has it. */
export function printKey(key: string): string {
  return printKeyFor(key, isMac);
}

/** Keys that type nothing: an editor may have a use of its own for them. */
const COMBINED = /^(?:Ctrl\+|Alt\+|(?:Shift\+)?F\d+$)/;

/** Runs the commands of the page by their keys. */
export function listenForKeys({ commands }: PageContext): () => void {
  const onkey = (event: KeyboardEvent, isCombined: boolean): void => {
    const key = keyOf(event, isMac);
    if (COMBINED.test(key) !== isCombined || !isListening(event, key)) return;
    const command = commands.findByKey(key);
    if (command === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    command.run();
  };
  // A key does one thing: before an editor does another, but after a control that takes a plain key.
  const oncapture = (event: KeyboardEvent): void => onkey(event, true);
  const onbubble = (event: KeyboardEvent): void => onkey(event, false);
  window.addEventListener("keydown", oncapture, true);
  window.addEventListener("keydown", onbubble);
  return () => {
    window.removeEventListener("keydown", oncapture, true);
    window.removeEventListener("keydown", onbubble);
  };
}

/** Keys that type or edit work only outside of fields; those that type a character can be switched off. */
function isListening(event: KeyboardEvent, key: string): boolean {
  if (/^(?:Ctrl\+(?:Alt\+|Shift\+)?[A-Y]|(?:Ctrl\+)?(?:Alt\+)?(?:Shift\+)?F\d+)$/.test(key))
    return true;
  if (isIn(event, "input, textarea, select, dialog")) return false;
  if (COMBINED.test(key)) return true;
  if (isIn(event, "[contenteditable]:not([contenteditable=false])")) return false;
  if (key === "Space" && isIn(event, "button, summary, [role=tab]")) return false;
  return singleKeys.value || key === "Escape" || key === "PageDown";
}

function isIn(event: KeyboardEvent, selector: string): boolean {
  return event.composedPath().some((node) => node instanceof Element && node.matches(selector));
}
