import { CHANGED_ON_BOTH_SIDES } from "./place.ts";

/** Draws the mark of a hunk whose lines both sides have changed. */
export function drawConflict(tag: "div" | "span"): HTMLElement {
  const mark = document.createElement(tag);
  mark.className = "cm-conflict";
  mark.textContent = CHANGED_ON_BOTH_SIDES;
  return mark;
}
