import type { PageContext } from "../state/page-context.ts";
import { singleKeys } from "./single-keys.ts";

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** A key as it is printed on this system: `Option+A` on a Mac. */
export function printKey(key: string): string {
  const plain = key.replace("Arrow", "");
  return isMac ? plain.replace("Alt+", "Option+") : plain;
}

/** Runs the commands of the page by their keys. */
export function listenForKeys({ commands }: PageContext): () => void {
  const onkey = (event: KeyboardEvent): void => {
    const key = keyOf(event);
    if (!isListening(event, key)) return;
    const command = commands.findByKey(key);
    if (command === undefined) return;
    event.preventDefault();
    command.run();
  };
  window.addEventListener("keydown", onkey);
  return () => window.removeEventListener("keydown", onkey);
}

/** A pressed key as commands name it: `Alt+Shift+F9`, `M`, `?`. */
function keyOf({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  // With Option, a Mac makes other characters of letters.
  const base = isMac && altKey ? code.replace("Key", "") : key === " " ? "Space" : key;
  const name = base.length === 1 ? base.toUpperCase() : base;
  const isCtrl = ctrlKey || metaKey;
  // The character itself already depends on Shift.
  const isShift = shiftKey && (name.length > 1 || isCtrl || altKey);
  return [isCtrl && "Ctrl", altKey && "Alt", isShift && "Shift", name].filter(Boolean).join("+");
}

/** Keys that type a character work only outside of fields, and can be switched off. */
function isListening(event: KeyboardEvent, key: string): boolean {
  if (/^(?:Ctrl\+|(?:Alt\+)?(?:Shift\+)?F\d+$)/.test(key)) return true;
  if (isIn(event, "input, textarea, select, dialog")) return false;
  if (key.startsWith("Alt+")) return true;
  if (isIn(event, "[contenteditable]:not([contenteditable=false])")) return false;
  if (key === "Space" && isIn(event, "button, summary, [role=tab]")) return false;
  return singleKeys.value || key === "Escape" || key === "PageDown";
}

function isIn(event: KeyboardEvent, selector: string): boolean {
  return event.composedPath().some((node) => node instanceof Element && node.matches(selector));
}
