import { tours as values } from "virtual:tours";
import {
  parseTour,
  type Simulation,
  type Tour,
  type TourStep,
  takeStep,
  tourFiles,
} from "@idewire/core/simulation";

/** A tour with what it takes to play it. */
export interface PlayableTour extends Tour {
  /** The texts of its files. */
  readonly texts: Readonly<Record<string, string>>;
  /** @throws Error that says why the step cannot be taken */
  take(simulation: Simulation, step: TourStep): void;
}

/** The tours in the order in which a newcomer meets them. */
const order = [
  "handshake",
  "selection",
  "mention",
  "diff-accepted",
  "diff-rejected",
  "diff-edited",
];

/** All tours of the page. */
export function readTours(): readonly PlayableTour[] {
  const read = values.flatMap((value) => {
    const tour = parseTour(value);
    return tour.ok ? [{ ...tour.value, texts: tourFiles(tour.value), take: takeStep }] : [];
  });
  return read.sort((a, b) => rank(a.id) - rank(b.id));
}

function rank(id: string): number {
  const place = order.indexOf(id);
  return place === -1 ? order.length : place;
}
