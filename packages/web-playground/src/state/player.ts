import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { PageModel } from "./page-model.ts";

/** A tour that was begun, and goes on by itself or step by step. */
export interface TourPlayback {
  readonly id: string;
  readonly title: string;
  readonly steps: readonly { readonly note?: string }[];
  /** How many steps were taken. */
  readonly taken: ReadonlySignal<number>;
  readonly playing: ReadonlySignal<boolean>;
  readonly done: ReadonlySignal<boolean>;
  /** The text of the newest step that has one. */
  readonly words: ReadonlySignal<string>;
  play(): void;
  stop(): void;
  /** Takes the next step, and goes on by itself when it plays. */
  step(): void;
}

/** A tour that can be played. */
export interface PlayableTour {
  readonly id: string;
  readonly title: string;
  /** @param problem set when the tour cannot go on, to the reason */
  begin(model: PageModel, problem: Signal<string | undefined>): TourPlayback;
}

/** Plays tours; how they are played is loaded with them. */
export class Player {
  /** The tour that was begun. */
  readonly playback: Signal<TourPlayback | undefined> = signal(undefined);
  /** Why a tour cannot go on, or a link cannot be opened. */
  readonly problem: Signal<string | undefined> = signal(undefined);
  readonly #model: PageModel;

  constructor(model: PageModel) {
    this.#model = model;
  }

  /** Begins a tour from its start, and plays it when `playing`. */
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
