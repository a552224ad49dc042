import { computed, type Signal, signal } from "@preact/signals";
import type { Session } from "./session.ts";
import type { PlayableTour } from "./tours.ts";

/** At reading speed, between two steps. */
const PAUSE_MS = 1600;

/** Plays tours in a session, by itself or step by step. */
export class Player {
  readonly tour: Signal<PlayableTour | undefined> = signal(undefined);
  /** How many steps were taken. */
  readonly taken = signal(0);
  readonly playing = signal(false);
  readonly problem: Signal<string | undefined> = signal(undefined);
  readonly done = computed(() => this.taken.value >= (this.tour.value?.steps.length ?? 0));
  /** What the newest step says to the reader. */
  readonly words = computed(() => {
    const { steps = [] } = this.tour.value ?? {};
    const said = steps.slice(0, this.taken.value).findLast(({ say }) => say !== undefined);
    return said?.say ?? this.tour.value?.about ?? "";
  });
  readonly #session: Session;
  #timer: number | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Begins a tour from its start, and plays it when `playing`. */
  start(tour: PlayableTour, playing: boolean): void {
    this.stop();
    this.#session.simulate({
      files: tour.texts,
      ...(tour.folder !== undefined && { folder: tour.folder }),
    });
    this.tour.value = tour;
    this.taken.value = 0;
    this.problem.value = undefined;
    if (playing) this.play();
  }

  /** Leaves the tour; the session stays as it is. */
  leave(): void {
    this.stop();
    this.tour.value = undefined;
  }

  play(): void {
    if (this.done.value) return;
    this.playing.value = true;
    this.step();
  }

  stop(): void {
    window.clearTimeout(this.#timer);
    this.playing.value = false;
  }

  /** Takes the next step, and goes on by itself when it plays. */
  step(): void {
    window.clearTimeout(this.#timer);
    const step = this.tour.value?.steps[this.taken.value];
    const { simulation } = this.#session;
    if (step === undefined || simulation === undefined) {
      this.stop();
      return;
    }
    this.#session.cursor.value = undefined;
    const waitMs = "world" in step && step.world === "wait" ? step.ms : 0;
    try {
      this.tour.value?.take(simulation, step);
    } catch (error) {
      // The person did something else in between, such as answering: the tour cannot go on.
      this.problem.value = error instanceof Error ? error.message : String(error);
      this.stop();
      return;
    }
    this.taken.value += 1;
    // A long wait is jumped over: that is what the virtual clock is for.
    if (waitMs > 1000) this.#session.advance(waitMs);
    if (this.done.value) this.stop();
    if (!this.playing.value) return;
    const pause = waitMs > 0 ? Math.min(waitMs, 600) : PAUSE_MS;
    this.#timer = window.setTimeout(() => this.step(), pause / (this.#session.speed.value || 1));
  }
}
