import type { HeldFrame } from "@idewire/devtools/internal";
import { type Signal, signal } from "@preact/signals";

/** The frames held at a breakpoint, in the order of sending. */
export const held: Signal<readonly HeldFrame[]> = signal([]);
