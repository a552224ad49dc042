import { RpcError, RpcErrorCode } from "../../../errors.ts";
import { type Clock, systemClock } from "../../../rpc/clock.ts";
import type { McpStore } from "../store.ts";
import { KeptTasks } from "./kept-tasks.ts";
import { RunningTask } from "./running-task.ts";
import { isOver, type StoredTask, type Task, type TaskEnd } from "./task.ts";

const TOPIC = "tasks";

/** The parts of a server's store that its tasks use. */
export type TasksStore = Pick<McpStore, "tasks" | "leases" | "bus">;

/** A message between instances about a task. */
export interface TaskOrder {
  readonly taskId: string;
  readonly cancel?: boolean;
  readonly inputResponses?: unknown;
  /** Its new state. */
  readonly task?: Task;
}

export interface TaskRecordsOptions {
  readonly store: TasksStore;
  readonly leaseMs: number;
  /** The limit of stored tasks of this instance. */
  readonly maxTasks: number;
  readonly clock?: Clock | undefined;
  readonly onerror?: ((error: Error) => void) | undefined;
}

/** A task that runs here, and its stored state. */
interface Run {
  readonly running: RunningTask;
  stored: StoredTask;
  isSaving: boolean;
}

/** The stored tasks of all instances of a server. */
export class TaskRecords {
  readonly #options: TaskRecordsOptions;
  readonly #clock: Clock;
  readonly #runs = new Map<string, Run>();
  /** The tasks at other instances with a listener here, and their principals. */
  readonly #watched = new Map<string, string | undefined>();
  readonly #kept: KeptTasks;
  #timer: unknown;

  constructor(options: TaskRecordsOptions) {
    this.#options = options;
    this.#kept = new KeptTasks(options.maxTasks, (taskId) => this.#evict(taskId));
    this.#clock = options.clock ?? systemClock;
  }

  /** The task of an id if it runs here. */
  running(taskId: string): RunningTask | undefined {
    return this.#runs.get(taskId)?.running;
  }

  /** Subscribes to the messages of all instances. */
  listen(listener: (order: TaskOrder) => void): void {
    const onmessage = (message: string) => listener(JSON.parse(message) as TaskOrder);
    this.#options.store.bus.subscribe(TOPIC, onmessage).catch((error) => this.#fail(error));
  }

  async broadcast(order: TaskOrder): Promise<void> {
    await this.#reach(this.#options.store.bus.publish(TOPIC, JSON.stringify(order)));
  }

  /**
   * Stores a new task of this instance.
   * @throws RpcError when there are too many
   */
  async begin(
    stored: StoredTask,
    abort: ConstructorParameters<typeof RunningTask>[1]["abort"],
  ): Promise<RunningTask> {
    const { store, leaseMs } = this.#options;
    const { taskId, ttlMs } = stored.task;
    this.#take(stored);
    const saved = store.tasks.set(taskId, stored, ttlMs ?? undefined);
    try {
      await this.#reach(Promise.all([store.leases.renew(taskId, leaseMs), saved]));
    } catch (error) {
      this.#kept.release(taskId);
      throw error;
    }
    const onchange = () => void this.#save(run).catch((error) => this.#fail(error));
    const running = new RunningTask(stored.task, { onchange, abort });
    const run: Run = { running, stored, isSaving: false };
    this.#runs.set(taskId, run);
    this.#arm();
    return running;
  }

  /**
   * A task of a principal; undefined if it has none with that id. The task is marked as failed if its instance is
   * gone.
   */
  async find(taskId: string, principal: string | undefined): Promise<StoredTask | undefined> {
    const { tasks, leases } = this.#options.store;
    const [found, isHeld] = await this.#reach(
      Promise.all([tasks.get(taskId), leases.isHeld(taskId)]),
    );
    if (found === undefined || found.principal !== principal) return undefined;
    if (isHeld || isOver(found.task)) return found;
    const message = "The process that ran the task has ended";
    const error = { code: RpcErrorCode.InternalError, message };
    const lastUpdatedAt = new Date().toISOString();
    const { inputRequests: _, ...task } = found.task;
    const failed: StoredTask = {
      ...found,
      task: { ...task, status: "failed", lastUpdatedAt, error },
    };
    const leftMs = timeLeft(failed.task);
    const isFailed = await this.#reach(tasks.replace(taskId, found, failed, leftMs));
    // Another instance was faster.
    if (!isFailed) return this.find(taskId, principal);
    await this.broadcast({ taskId, task: failed.task });
    return failed;
  }

  /** The end of a task that runs here; a failure in its place when its result cannot be kept. */
  toKeep(taskId: string, end: TaskEnd): TaskEnd {
    const run = this.#runs.get(taskId);
    if (run === undefined || isOver(run.running.task)) return end;
    try {
      const size = JSON.stringify(end).length;
      if (this.#kept.takeResult(taskId, size)) return end;
      return failed(`The result has ${size} characters: it is too large to be kept`);
    } catch (error) {
      this.#fail(error);
      return failed("Internal error");
    }
  }

  /** Ensures that the end of a task is published, even if the instance that runs it is gone. */
  watch(task: Task, principal: string | undefined): void {
    if (isOver(task) || this.#runs.has(task.taskId)) return;
    this.#watched.set(task.taskId, principal);
    this.#arm();
  }

  /** @throws RpcError when its principal has used its share */
  #take({ task, principal }: StoredTask): void {
    const untilMs = Date.now() + (timeLeft(task) ?? Number.POSITIVE_INFINITY);
    if (this.#kept.take({ taskId: task.taskId, principal, untilMs })) return;
    const text = `The limit of ${this.#options.maxTasks} tasks is reached: try again later`;
    throw new RpcError(RpcErrorCode.InternalError, text, { retryAfterMs: 1000 });
  }

  #evict(taskId: string): void {
    this.#runs.get(taskId)?.running.cancel();
    this.#runs.delete(taskId);
    this.#options.store.tasks.delete(taskId).catch((error) => this.#fail(error));
  }

  async #look(taskId: string, principal: string | undefined): Promise<void> {
    const found = await this.find(taskId, principal);
    if (found === undefined || isOver(found.task)) this.#watched.delete(taskId);
  }

  /** Stores the newest state of a task, and notifies the listeners. */
  async #save(run: Run): Promise<void> {
    if (run.isSaving) return;
    run.isSaving = true;
    try {
      while (run.running.task !== run.stored.task) await this.#write(run, run.running.task);
    } finally {
      run.isSaving = false;
    }
    const { task } = run.stored;
    if (!isOver(task)) return;
    this.#runs.delete(task.taskId);
    this.#kept.end(task.taskId);
  }

  async #write(run: Run, task: Task): Promise<void> {
    const { tasks } = this.#options.store;
    const { taskId } = task;
    const stored = { ...run.stored, task };
    if (!(await tasks.replace(taskId, run.stored, stored, timeLeft(task)))) {
      const other = await tasks.get(taskId);
      if (other !== undefined) {
        // It counts as failed, and remains so, as clients may have seen it.
        run.stored = other;
        run.running.lose(other.task);
        return;
      }
      // A store that has lost its data gets it again; a deleted or expired task remains deleted.
      const leftMs = timeLeft(task);
      const isKept = this.#runs.get(taskId) === run;
      if (isKept && (leftMs === undefined || leftMs > 0)) await tasks.set(taskId, stored, leftMs);
    }
    run.stored = stored;
    await this.broadcast({ taskId, task });
  }

  /**
   * Renews the leases of running tasks, checks those at other instances, removes expired ones, and retries failed
   * writes.
   */
  #arm(): void {
    if (this.#timer !== undefined) return;
    const { store, leaseMs } = this.#options;
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = undefined;
      for (const [taskId, run] of this.#runs) {
        const leftMs = timeLeft(run.running.task);
        if (leftMs !== undefined && leftMs <= 0) run.running.cancel();
        store.leases.renew(taskId, leaseMs).catch((error) => this.#fail(error));
        this.#save(run).catch((error) => this.#fail(error));
      }
      // Failures were reported, and are retried.
      for (const watched of this.#watched) this.#look(...watched).catch(() => undefined);
      if (this.#runs.size + this.#watched.size > 0) this.#arm();
    }, leaseMs / 3);
  }

  /** The error for a client when the store cannot be reached. */
  async #reach<T>(promise: Promise<T>): Promise<T> {
    try {
      return await promise;
    } catch (error) {
      this.#fail(error);
      const text = "The store cannot be reached: try again later";
      throw new RpcError(RpcErrorCode.InternalError, text, { retryAfterMs: 1000 });
    }
  }

  #fail(error: unknown): void {
    this.#options.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }
}

function failed(message: string): TaskEnd {
  return { status: "failed", error: { code: RpcErrorCode.InternalError, message } };
}

/** The remaining lifetime of a task; undefined for no limit. */
function timeLeft({ createdAt, ttlMs }: Task): number | undefined {
  return ttlMs === null ? undefined : Date.parse(createdAt) + ttlMs - Date.now();
}
