import { findHidden, nameOfHidden, showHiddenInLine } from "@idewire/core";
import type { ComponentChildren } from "preact";

/**
 * A text that comes from elsewhere, on a line of its own direction: what a reader would not see in it
 * is shown by its number.
 */
export function ForeignText({ text }: { readonly text: string }) {
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const { start, end, codePoint } of findHidden(text)) {
    const number = `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
    const name = nameOfHidden(codePoint);
    parts.push(
      text.slice(at, start),
      <span class="hidden-character" role="img" title={name} aria-label={`${number} ${name}`}>
        {number}
      </span>,
    );
    at = end;
  }
  return <bdi>{parts.length === 0 ? text : [...parts, text.slice(at)]}</bdi>;
}

/** The same for where there is text alone, as in a tooltip. */
export const foreignText: (text: string) => string = showHiddenInLine;
