import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { PageModel } from "./page-model.ts";

/** A started tour, played automatically or step by step. */
export interface TourPlayback {
  readonly id: string;
  readonly title: string;
  readonly steps: readonly { readonly note?: string }[];
  /** The number of steps taken. */
  readonly taken: ReadonlySignal<number>;
  readonly playing: ReadonlySignal<boolean>;
  readonly done: ReadonlySignal<boolean>;
  /** The text of the newest step that has one. */
  readonly words: ReadonlySignal<string>;
  play(): void;
  stop(): void;
  /** Takes the next step, and continues automatically if it plays. */
  step(): void;
}

/** A tour that can be played. */
export interface PlayableTour {
  readonly id: string;
  readonly title: string;
  /** @param problem set to the reason if the tour cannot continue */
  begin(model: PageModel, problem: Signal<string | undefined>): TourPlayback;
}

/** Plays tours, which are loaded together with their player. */
export class Player {
  /** The current tour. */
  readonly playback: Signal<TourPlayback | undefined> = signal(undefined);
  /** The reason why a tour cannot continue, or a link cannot be opened. */
  readonly problem: Signal<string | undefined> = signal(undefined);
  readonly #model: PageModel;

  constructor(model: PageModel) {
    this.#model = model;
  }

  /** Starts a tour, and plays it if `playing`. */
  start(tour: PlayableTour, playing: boolean): void {
    this.playback.value?.stop();
    this.problem.value = undefined;
    const playback = tour.begin(this.#model, this.problem);
    this.playback.value = playback;
    if (playing) playback.play();
  }

  /** Leaves the tour; the simulation stays as it is. */
  leave(): void {
    this.playback.value?.stop();
    this.playback.value = undefined;
  }
}
