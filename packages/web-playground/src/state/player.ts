import { type Signal, signal } from "@preact/signals";
import type { Playback } from "../tours/playback.ts";
import type { PlayableTour } from "../tours/tours.ts";
import type { Session } from "./session.ts";

/** Plays tours in a session; how they are played is loaded with them. */
export class Player {
  /** The tour that was begun, and how far it is. */
  readonly playback: Signal<Playback | undefined> = signal(undefined);
  /** Why a tour cannot go on, or a link cannot be opened. */
  readonly problem: Signal<string | undefined> = signal(undefined);
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Begins a tour from its start, and plays it when `playing`. */
  start({ begin }: PlayableTour, playing: boolean): void {
    this.playback.value?.stop();
    this.problem.value = undefined;
    const playback = begin(this.#session, this.problem);
    this.playback.value = playback;
    if (playing) playback.play();
  }

  /** Leaves the tour; the session stays as it is. */
  leave(): void {
    this.playback.value?.stop();
    this.playback.value = undefined;
  }
}
