import type { IconNode } from "lucide";
import { h } from "preact";

export type { IconNode } from "lucide";

/** An icon of lucide, as high as a line of text, next to a text with its meaning. */
export function Icon({ of }: { readonly of: IconNode }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      {of.map(([tag, attributes], at) => h(tag, { key: at, ...attributes }))}
    </svg>
  );
}
