import { tours as texts } from "virtual:tours";
import { parseScenario } from "@idewire/devtools/scenario";
import type { PlayableTour } from "../state/player.ts";
import { Playback } from "./playback.ts";

/** The tours, in order for beginners. */
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
  const read = Object.entries(texts).flatMap(([id, text]): PlayableTour[] => {
    const tour = parseScenario(text);
    if (!tour.ok) return [];
    const { name: title } = tour.value.header;
    const begin: PlayableTour["begin"] = (model, problem) =>
      new Playback(id, tour.value, { model, problem });
    return [{ id, title, begin }];
  });
  return read.sort((a, b) => rank(a.id) - rank(b.id));
}

function rank(id: string): number {
  const place = order.indexOf(id);
  return place === -1 ? order.length : place;
}
