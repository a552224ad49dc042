import { isObject } from "@idewire/core";
import { type Signal, signal } from "@preact/signals";
import type { LiveFolder } from "./live-folder.ts";

/** What became of a step. */
export type StepOutcome = "ok" | "warning" | "failed" | "skipped";

/** One step on the way from the folder to an editor that answers, as `idewire doctor` has it. */
export interface DoctorStep {
  readonly id: string;
  readonly title: string;
  readonly outcome: StepOutcome;
  readonly detail: string;
  readonly advice?: readonly { readonly words: string; readonly command?: string }[];
}

/** What is known when all steps are gone. */
export interface DoctorReport {
  readonly agents: readonly {
    readonly name: string;
    readonly version: string;
    readonly pid?: number;
  }[];
  /** What agents do that no step can see. */
  readonly rules: readonly string[];
  /** The same in a terminal. */
  readonly command: string;
}

/** Has idewire go the way of an agent, and keeps what it has found. */
export class Doctor {
  readonly steps: Signal<readonly DoctorStep[]> = signal([]);
  /** How many steps there will be. */
  readonly count = signal(0);
  readonly report: Signal<DoctorReport | undefined> = signal(undefined);
  readonly running = signal(false);
  /** Why it could not look. */
  readonly problem: Signal<string | undefined> = signal(undefined);
  readonly #live: LiveFolder;
  #runs = 0;
  #again = false;

  constructor(live: LiveFolder) {
    this.#live = live;
  }

  /** Looks; once more afterwards, when it is looking already. */
  async run(): Promise<void> {
    if (this.running.value) {
      this.#again = true;
      return;
    }
    this.running.value = true;
    do {
      this.#again = false;
      await this.#look();
    } while (this.#again);
    this.running.value = false;
  }

  async #look(): Promise<void> {
    const { peer } = this.#live;
    if (peer === undefined) {
      this.problem.value = "idewire cannot be asked now: the connection is lost.";
      return;
    }
    this.#runs += 1;
    const run = this.#runs;
    const steps: DoctorStep[] = [];
    peer.handle("live/doctor-step", ({ params }) => {
      if (params?.["run"] !== run) return;
      steps.push(params["step"] as unknown as DoctorStep);
      this.count.value = Number(params["count"]);
      this.#show(steps);
    });
    try {
      const answer = await peer.request("live/doctor", { run });
      this.problem.value = undefined;
      this.steps.value = steps;
      if (isObject(answer)) this.report.value = answer as unknown as DoctorReport;
    } catch (error) {
      this.problem.value = `${error instanceof Error ? error.message : String(error)}.`;
    }
  }

  /** What was found before stays until it is found anew. */
  #show(steps: readonly DoctorStep[]): void {
    const found = new Map(steps.map((step) => [step.id, step]));
    const kept = this.steps.value.map((step) => found.get(step.id) ?? step);
    const fresh = steps.filter(({ id }) => !kept.some((step) => step.id === id));
    this.steps.value = [...kept, ...fresh];
  }
}
