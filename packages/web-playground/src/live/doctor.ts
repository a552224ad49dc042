import { messageOf } from "@idewire/core/internal/base";
import type { DoctorReport, DoctorStep } from "@idewire/devtools/internal";
import { type Signal, signal } from "@preact/signals";
import { type LinkedPage, NOT_CONNECTED } from "../state/server-link.ts";

/** Asks idewire to run the steps of a connecting agent, and stores the results. */
export class Doctor {
  readonly steps: Signal<readonly DoctorStep[]> = signal([]);
  /** The number of steps. */
  readonly count = signal(0);
  readonly report: Signal<DoctorReport | undefined> = signal(undefined);
  readonly running = signal(false);
  /** The reason why the run failed. */
  readonly problem: Signal<string | undefined> = signal(undefined);
  readonly #live: LinkedPage;
  #runs = 0;
  #again = false;

  constructor(live: LinkedPage) {
    this.#live = live;
  }

  /** Runs all steps; a call during a run causes one more run afterwards. */
  async run(): Promise<void> {
    if (this.running.value) {
      this.#again = true;
      return;
    }
    this.running.value = true;
    do {
      this.#again = false;
      await this.#takeSteps();
    } while (this.#again);
    this.running.value = false;
  }

  async #takeSteps(): Promise<void> {
    const { client } = this.#live.link;
    if (client === undefined) {
      this.problem.value = `${NOT_CONNECTED}.`;
      return;
    }
    this.#runs += 1;
    const run = this.#runs;
    const steps: DoctorStep[] = [];
    client.on("live/doctor-step", ({ step, count, ...of }) => {
      if (of.run !== run) return;
      steps.push(step);
      this.count.value = count;
      this.#show(steps);
    });
    try {
      const report = await client.request("live/doctor", { run });
      this.problem.value = undefined;
      this.steps.value = steps;
      this.report.value = report;
    } catch (error) {
      this.problem.value = `${messageOf(error)}.`;
    }
  }

  /** Results of the previous run stay until their step has run again. */
  #show(steps: readonly DoctorStep[]): void {
    const found = new Map(steps.map((step) => [step.id, step]));
    const kept = this.steps.value.map((step) => found.get(step.id) ?? step);
    const fresh = steps.filter(({ id }) => !kept.some((step) => step.id === id));
    this.steps.value = [...kept, ...fresh];
  }
}

/** The first step to explain; undefined if all succeeded. */
export function worstOf(steps: readonly DoctorStep[]): DoctorStep | undefined {
  return (
    steps.find(({ outcome }) => outcome === "failed") ??
    steps.find(({ outcome }) => outcome === "warning")
  );
}

/** `ok`, `warning` or `failed`; `running`; `problem` if the doctor could not run. */
export function statusOf({ running, problem, steps }: Doctor): string {
  if (running.value) return "running";
  return problem.value === undefined ? (worstOf(steps.value)?.outcome ?? "ok") : "problem";
}

/** The verdict in one line. */
export function summarise({ running, problem, steps, count }: Doctor): string {
  if (problem.value !== undefined) return problem.value;
  const done = steps.value.length;
  const worst = worstOf(steps.value);
  if (running.value && done < count.value) return `Checking: ${done} of ${count.value} steps.`;
  if (worst?.outcome === "failed") return `Failed at: ${worst.title}.`;
  const warnings = steps.value.filter(({ outcome }) => outcome === "warning").length;
  if (warnings > 1) return `No step failed; ${warnings} need attention.`;
  if (worst !== undefined) return `No step failed; one needs attention: ${worst.title}.`;
  return done === 0 ? "Checking." : `All ${done} steps passed.`;
}
