import type { Tour, TourComment, TourStep } from "@idewire/devtools/simulation";
import { takeStep, tourFiles } from "@idewire/devtools/simulation";
import { computed, type Signal, signal } from "@preact/signals";
import { loadComments } from "../comments/load-comments.ts";
import type { PageModel } from "../state/page-model.ts";
import type { TourPlayback } from "../state/player.ts";

/** Between two steps, at reading speed. */
const PAUSE_MS = 1600;

/** Plays a tour in the simulation of the page. */
export class Playback implements TourPlayback {
  readonly tour: Tour;
  readonly taken = signal(0);
  readonly playing = signal(false);
  readonly done = computed(() => this.taken.value >= this.tour.steps.length);
  readonly words = computed(() => {
    const output = this.tour.steps.slice(0, this.taken.value);
    return output.findLast(({ say }) => say !== undefined)?.say ?? this.tour.about;
  });
  readonly #model: PageModel;
  readonly #problem: Signal<string | undefined>;
  #timer: number | undefined;
  /** While a comment is being added: it has to be there before the next step. */
  #isCommenting = false;

  /** @param problem set when the tour cannot go on, to the reason */
  constructor(tour: Tour, model: PageModel, problem: Signal<string | undefined>) {
    this.tour = tour;
    this.#model = model;
    this.#problem = problem;
    model.simulate({
      files: tourFiles(tour),
      ...(tour.folder !== undefined && { folder: tour.folder }),
    });
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

  step(): void {
    window.clearTimeout(this.#timer);
    if (this.#isCommenting) return;
    const step = this.tour.steps[this.taken.value];
    if (step === undefined || !this.#take(step)) this.stop();
    else if (!this.#isCommenting) this.#goOn(step);
  }

  #goOn(step: TourStep): void {
    this.taken.value += 1;
    const waitMs = "world" in step && step.world === "wait" ? step.ms : 0;
    // The virtual clock skips long waits.
    if (waitMs > 1000) this.#model.advance(waitMs);
    if (this.done.value) this.stop();
    if (!this.playing.value) return;
    const pause = waitMs > 0 ? Math.min(waitMs, 600) : PAUSE_MS;
    this.#timer = window.setTimeout(() => this.step(), pause / (this.#model.speed.value || 1));
  }

  #take(step: TourStep): boolean {
    const { simulation } = this.#model;
    if (simulation === undefined) return false;
    this.#model.cursor.value = undefined;
    try {
      takeStep(simulation, step, (comment) => void this.#comment(comment, step));
      return true;
    } catch (error) {
      // The person did something in between, such as answering.
      this.#problem.value = error instanceof Error ? error.message : String(error);
      return false;
    }
  }

  async #comment(comment: TourComment, step: TourStep): Promise<void> {
    this.#isCommenting = true;
    const comments = await loadComments(this.#model);
    if (!comments.isOpen.value) comments.toggle();
    const isAdded = await comments.run({ do: "add", ...comment }, "Added a comment");
    this.#isCommenting = false;
    if (isAdded) this.#goOn(step);
    else this.stop();
  }
}
