import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { ImplementationName } from "./implementation.ts";
import type { Answer, Question, Sample, WorkloadOptions } from "./subject.ts";

/** The task of a child process. */
export interface Task {
  readonly workload: string;
  readonly implementation: ImplementationName;
  readonly options: WorkloadOptions;
  /** Of the checkout to run. */
  readonly root: string;
}

const TIMEOUT_MS = 120_000;

/** The parent's end of one worker process. */
export class Child {
  readonly #process: ChildProcess;
  readonly #task: Task;

  private constructor(task: Task, profileFolder: string | undefined) {
    this.#task = task;
    const worker = join(task.root, "benchmarks/dist/worker.js");
    const args = [task.workload, task.implementation, JSON.stringify(task.options)];
    const profile = ["--cpu-prof", `--cpu-prof-dir=${profileFolder}`];
    const execArgv = ["--expose-gc", ...(profileFolder === undefined ? [] : profile)];
    this.#process = fork(worker, args, { execArgv });
  }

  /** @param profileFolder where it writes a CPU profile at exit */
  static async open(task: Task, profileFolder?: string): Promise<Child> {
    const child = new Child(task, profileFolder);
    try {
      await child.#expect("open");
    } catch (error) {
      await child.close();
      throw error;
    }
    return child;
  }

  async sample(forMs: number): Promise<Sample> {
    return (await this.#ask({ do: "sample", forMs }, "sample")).sample;
  }

  async measure(): Promise<number> {
    return (await this.#ask({ do: "measure" }, "value")).value;
  }

  /** Asks it to exit; kills it if it does not. */
  async close(): Promise<void> {
    const { exitCode, signalCode } = this.#process;
    if (exitCode !== null || signalCode !== null) return;
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    const timer = setTimeout(() => this.#process.kill("SIGKILL"), 5_000);
    this.#process.send({ do: "close" } satisfies Question, () => {});
    await ended;
    clearTimeout(timer);
  }

  #ask<Kind extends Answer["is"]>(question: Question, kind: Kind) {
    const answer = this.#expect(kind);
    this.#process.send(question);
    return answer;
  }

  #expect<Kind extends Answer["is"]>(kind: Kind): Promise<Extract<Answer, { is: Kind }>> {
    return new Promise((resolve, reject) => {
      const { workload, implementation } = this.#task;
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        this.#process.off("message", onMessage).off("exit", onExit);
        settle();
      };
      const fail = (why: string) => {
        finish(() => reject(new Error(`${workload} by ${implementation}: ${why}`)));
      };
      const onExit = () => fail("the process exited");
      const onMessage = (answer: Answer) => {
        if (answer.is === "failure") fail(answer.message);
        else if (answer.is === kind) finish(() => resolve(answer as never));
      };
      const timer = setTimeout(() => fail(`no answer in ${TIMEOUT_MS} ms`), TIMEOUT_MS);
      this.#process.on("message", onMessage).on("exit", onExit);
    });
  }
}
