import { tours as values } from "virtual:tours";
import { parseTour, type Tour } from "@idewire/devtools/simulation";
import type { Signal } from "@preact/signals";
import type { Session } from "../state/session.ts";
import { Playback } from "./playback.ts";

/** A tour that can be played. */
export interface PlayableTour {
  readonly id: string;
  readonly title: string;
  /** @param problem is told why the tour cannot go on */
  begin(session: Session, problem: Signal<string | undefined>): Playback;
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
    return tour.ok ? [toPlayable(tour.value)] : [];
  });
  return read.sort((a, b) => rank(a.id) - rank(b.id));
}

function toPlayable(tour: Tour): PlayableTour {
  const { id, title } = tour;
  return { id, title, begin: (session, problem) => new Playback(tour, session, problem) };
}

function rank(id: string): number {
  const place = order.indexOf(id);
  return place === -1 ? order.length : place;
}
