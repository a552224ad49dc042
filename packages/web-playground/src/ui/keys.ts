import { listCommands } from "../commands.ts";
import type { Parts } from "./parts.ts";

const panes = ["editor", "agent", "wire", "frame"] as const;

/** The keys that work anywhere; single ones only outside of fields. */
export function listenForKeys(parts: Parts): () => void {
  const onkey = (event: KeyboardEvent): void => {
    const { view } = parts;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      view.palette.value = !view.palette.value;
      return;
    }
    if (event.key === "F6") {
      event.preventDefault();
      const step = event.shiftKey ? panes.length - 1 : 1;
      const next = panes[(panes.indexOf(view.pane.value) + step) % panes.length] ?? "editor";
      runCommand(parts, `Go to the ${next} pane`);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isField(event)) return;
    const key = event.key === " " ? "Space" : event.key;
    const command = listCommands(parts).find((one) => one.key === key || one.also?.includes(key));
    if (command === undefined || (key === "Space" && isButton(event))) return;
    event.preventDefault();
    command.run();
  };
  window.addEventListener("keydown", onkey);
  return () => window.removeEventListener("keydown", onkey);
}

function runCommand(parts: Parts, name: string): void {
  listCommands(parts)
    .find((one) => one.name === name)
    ?.run();
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
