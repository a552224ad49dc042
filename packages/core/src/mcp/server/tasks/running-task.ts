import { IdewireError } from "../../../errors.ts";
import { asObject } from "../../../rpc/message.ts";
import type { Question } from "../caller.ts";
import type { Questions } from "../modern/modern-caller.ts";
import { isOver, type Task, type TaskEnd } from "./task.ts";

interface OpenQuestion {
  readonly request: { readonly method: string };
  /** Accepts an answer; false for one of another shape. */
  take(answer: unknown): boolean;
  readonly drop: (error: Error) => void;
}

/** A task in the process that runs its handler. */
export class RunningTask implements Questions {
  #task: Task;
  readonly #onchange: () => void;
  readonly #open = new Map<string, OpenQuestion>();
  readonly #used = new Set<string>();
  readonly #kept = new Map<string, Promise<unknown>>();
  readonly #abort: (reason: IdewireError) => void;

  /** @param `onchange` is called with each new state; `abort` ends the handler */
  constructor(
    task: Task,
    how: {
      readonly onchange: () => void;
      readonly abort: (reason: IdewireError) => void;
    },
  ) {
    this.#task = task;
    this.#onchange = how.onchange;
    this.#abort = how.abort;
  }

  /** Questions of a task are asked through the task. */
  get isOpen(): boolean {
    return false;
  }

  get task(): Task {
    return this.#task;
  }

  ask<T>(question: Question<T>, named?: string): Promise<T> {
    const key = this.#newKey(named);
    const loading = question.load?.();
    if (loading === undefined) return this.#ask(question, key);
    return loading.then(() => this.#ask(question, key));
  }

  #ask<T>({ method, params, parse }: Question<T>, key: string): Promise<T> {
    const answer = new Promise<T>((resolve, reject) => {
      const take = (value: unknown) => {
        try {
          resolve(parse(value));
          return true;
        } catch {
          // The question remains open.
          return false;
        }
      };
      const request = { method, ...(params !== undefined && { params }) };
      this.#open.set(key, { request, take, drop: reject });
    });
    if (isOver(this.#task)) this.#drop();
    else this.#change({ status: "input_required" });
    return answer;
  }

  once<T>(key: string, make: () => T | Promise<T>): Promise<T> {
    const made = this.#kept.get(key) ?? Promise.resolve(make());
    this.#kept.set(key, made);
    return made as Promise<T>;
  }

  /** Accepts the answers of a client; those without an open question are ignored. */
  answer(responses: unknown): void {
    let isAnswered = false;
    for (const [key, value] of Object.entries(asObject(responses))) {
      if (this.#open.get(key)?.take(value) !== true) continue;
      this.#open.delete(key);
      isAnswered = true;
    }
    if (isAnswered) this.#change({ status: this.#open.size > 0 ? "input_required" : "working" });
  }

  cancel(): void {
    this.end({ status: "cancelled" });
  }

  /** Ends the task; its handler has no effect afterwards. */
  end(change: TaskEnd): void {
    if (isOver(this.#task)) return;
    this.#change(change);
    this.#drop();
    this.#abort(new IdewireError("cancelled", `The task is ${change.status}`));
  }

  /** Ends a task that was already recorded as ended elsewhere. */
  lose(task: Task): void {
    this.#task = task;
    this.#drop();
    this.#abort(new IdewireError("cancelled", `The task is ${task.status}`));
  }

  /** A key is used only once in the life of a task. */
  #newKey(named: string | undefined): string {
    const first = named ?? "question";
    let key = named ?? "question-1";
    for (let n = 2; this.#used.has(key); n += 1) key = `${first}-${n}`;
    this.#used.add(key);
    return key;
  }

  #drop(): void {
    const error = new IdewireError("cancelled", `The task is ${this.#task.status}`);
    for (const { drop } of this.#open.values()) drop(error);
    this.#open.clear();
  }

  #change(change: Partial<Task>): void {
    const { inputRequests: _, ...task } = { ...this.#task, ...change };
    const requests = [...this.#open].map(([key, { request }]) => [key, request] as const);
    this.#task = {
      ...task,
      lastUpdatedAt: new Date().toISOString(),
      ...(task.status === "input_required" && { inputRequests: Object.fromEntries(requests) }),
    };
    this.#onchange();
  }
}
