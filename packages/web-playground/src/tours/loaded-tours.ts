import { signal } from "@preact/signals";
import type { PlayableTour } from "../state/player.ts";

/** The tours, once they are loaded. */
export const tours = signal<readonly PlayableTour[]>([]);

/** Loads the tours, which the first view does not need. */
export async function loadTours(): Promise<readonly PlayableTour[]> {
  if (tours.value.length === 0) tours.value = (await import("./tours.ts")).readTours();
  return tours.value;
}
