import { findHidden, showHiddenInLine } from "@idewire/core/internal";
import type { ComponentChildren } from "preact";
import { Lazy } from "./lazy.tsx";

// Loaded lazily: the names are long, and most texts contain no hidden characters.
const hidden = () =>
  import("./hidden-character.tsx").then(({ HiddenCharacter }) => HiddenCharacter);

/**
 * A text from outside, isolated in its direction; hidden characters are shown by their code points.
 */
export function ForeignText({ text }: { readonly text: string }) {
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const { start, end, codePoint } of findHidden(text)) {
    const number = `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
    parts.push(
      text.slice(at, start),
      <Lazy
        load={hidden}
        props={{ codePoint, number }}
        fallback={<span class="hidden-character">{number}</span>}
      />,
    );
    at = end;
  }
  return <bdi>{parts.length === 0 ? text : [...parts, text.slice(at)]}</bdi>;
}

/** The same as plain text, for a tooltip. */
export const foreignText: (text: string) => string = showHiddenInLine;
