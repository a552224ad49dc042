import type { ChangeKind, SurfaceChange } from "@idewire/devtools/internal";
import type { Palette } from "../output/palette.ts";
import { line, type Printable } from "../output/printable.ts";

/** A difference between what two servers offer, and its kind. */
export function showSurfaceChange(
  { kind, what, detail }: SurfaceChange,
  palette: Palette,
): Printable {
  const signs: Readonly<Record<ChangeKind, Printable>> = {
    breaking: palette.bad("✗ breaking  "),
    compatible: palette.good("✓ compatible"),
    text: palette.dim("· text      "),
  };
  return line`${signs[kind]} ${what}: ${detail}`;
}

/** `1 breaking, 2 compatible, 0 of text alone` */
export function countKinds(changes: readonly SurfaceChange[]): string {
  const count = (kind: ChangeKind) => changes.filter((change) => change.kind === kind).length;
  return `${count("breaking")} breaking, ${count("compatible")} compatible, ${count("text")} of text alone`;
}
