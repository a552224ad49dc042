import { messageOf } from "@idewire/core/internal/base";
import {
  type ActionStep,
  type AgentStep,
  performStep,
  type ScenarioComment,
  scenarioFiles,
} from "@idewire/devtools/internal";
import type { Scenario, ScenarioContext } from "@idewire/devtools/scenario";
import { toScenarioContext } from "@idewire/devtools/simulation";
import { computed, type Signal, signal } from "@preact/signals";
import { loadComments } from "../comments/load-comments.ts";
import type { PageModel } from "../state/page-model.ts";
import type { TourPlayback } from "../state/player.ts";

/** The pause between two steps, at reading speed. */
const PAUSE_MS = 1600;

type TourStep = ActionStep | AgentStep;

/** Plays a tour, a scenario whose notes are captions, in the simulation of the page. */
export class Playback implements TourPlayback {
  readonly id: string;
  readonly title: string;
  /** Without expectations, which are for tests. */
  readonly steps: readonly TourStep[];
  readonly taken = signal(0);
  readonly playing = signal(false);
  readonly done = computed(() => this.taken.value >= this.steps.length);
  readonly words = computed(() => {
    const output = this.steps.slice(0, this.taken.value);
    return output.findLast(({ note }) => note !== undefined)?.note ?? this.#about;
  });
  readonly #about: string;
  readonly #model: PageModel;
  readonly #problem: Signal<string | undefined>;
  readonly #context: ScenarioContext;
  #timer: number | undefined;
  /** Set while a step is performed: the next one needs its result. */
  #isBusy = false;

  /** @param problem set to the reason if the tour cannot continue */
  constructor(id: string, tour: Scenario, { model, problem }: TourPlace) {
    const { name, note = "", folder } = tour.header;
    this.id = id;
    this.title = name;
    this.#about = note;
    this.steps = tour.steps.flatMap(({ step }) => ("expect" in step ? [] : [step]));
    this.#model = model;
    this.#problem = problem;
    const simulation = model.simulate({
      files: scenarioFiles(tour.header),
      ...(folder !== undefined && { folder }),
    });
    this.#context = toScenarioContext(simulation, (comment) => this.#comment(comment));
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
    const step = this.steps[this.taken.value];
    if (this.#isBusy) return;
    if (step === undefined || this.#model.simulation !== this.#context.simulation) this.stop();
    else void this.#take(step);
  }

  #goOn(step: TourStep): void {
    this.taken.value += 1;
    const waitMs = waitOf(step);
    // The virtual clock skips long waits.
    if (waitMs > 1000) this.#model.advance(waitMs);
    if (this.done.value) this.stop();
    if (!this.playing.value) return;
    const pause = waitMs > 0 ? Math.min(waitMs, 600) : PAUSE_MS;
    this.#timer = window.setTimeout(() => this.step(), pause / (this.#model.speed.value || 1));
  }

  async #take(step: TourStep): Promise<void> {
    this.#model.cursor.value = undefined;
    this.#isBusy = true;
    try {
      if (waitOf(step) === 0) await performStep(step, this.#context);
      this.#goOn(step);
    } catch (error) {
      // The person acted in between, such as by answering.
      this.#problem.value = messageOf(error);
      this.stop();
    } finally {
      this.#isBusy = false;
    }
  }

  async #comment({ path, ...comment }: ScenarioComment): Promise<boolean> {
    const comments = await loadComments(this.#model);
    if (!comments.isOpen.value) comments.toggle();
    return comments.run({ do: "add", filePath: path, ...comment }, "Added a comment");
  }
}

/** How long a step only waits. */
function waitOf(step: TourStep): number {
  return "do" in step && step.do === "wait" ? step.ms : 0;
}

/** Where a tour is played. */
interface TourPlace {
  readonly model: PageModel;
  readonly problem: Signal<string | undefined>;
}
