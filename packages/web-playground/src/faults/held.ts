import type { HeldFrame } from "@idewire/devtools/internal";
import { type Signal, signal } from "@preact/signals";

/** The frames that a breakpoint holds, in the order in which they were sent. */
export const held: Signal<readonly HeldFrame[]> = signal([]);
