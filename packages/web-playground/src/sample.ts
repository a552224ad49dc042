import { files } from "virtual:sample";
import { parseTour, type Tour } from "@idewire/core/simulation";
import { signal } from "@preact/signals";

export const sampleFiles: Readonly<Record<string, string>> = files;

/** The tours in the order in which a newcomer meets them. */
const order = [
  "handshake",
  "selection",
  "mention",
  "diff-accepted",
  "diff-rejected",
  "diff-edited",
];

/** The tours, once they are loaded. */
export const tours = signal<readonly Tour[]>([]);

/** Loads the tours, which a newcomer does not need at once. */
export async function loadTours(): Promise<readonly Tour[]> {
  if (tours.value.length > 0) return tours.value;
  const { tours: values } = await import("virtual:tours");
  const read = values.flatMap((value) => {
    const tour = parseTour(value);
    return tour.ok ? [tour.value] : [];
  });
  tours.value = read.sort((a, b) => rank(a.id) - rank(b.id));
  return tours.value;
}

function rank(id: string): number {
  const place = order.indexOf(id);
  return place === -1 ? order.length : place;
}
