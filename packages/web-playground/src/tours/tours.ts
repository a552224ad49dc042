import { tours as values } from "virtual:tours";
import { parseTour, type Tour } from "@idewire/devtools/simulation";
import type { PlayableTour } from "../state/player.ts";
import { Playback } from "./playback.ts";

/** The tours in the order in which a newcomer meets them. */
const order = [
  "handshake",
  "selection",
  "mention",
  "diff-accepted",
  "diff-rejected",
  "diff-edited",
  "comments",
];

/** All tours of the page. */
export function readTours(): readonly PlayableTour[] {
  const read = values.flatMap((value) => {
    const tour = parseTour(value);
    return tour.ok ? [toPlayable(tour.value)] : [];
  });
  return read.sort((a, b) => rank(a.id) - rank(b.id));
}

function toPlayable(tour: Tour): PlayableTour {
  const { id, title } = tour;
  return { id, title, begin: (model, problem) => new Playback(tour, model, problem) };
}

function rank(id: string): number {
  const place = order.indexOf(id);
  return place === -1 ? order.length : place;
}
