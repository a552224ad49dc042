import { IdewireError, RpcError, RpcErrorCode } from "../../../errors.ts";
import type { Call } from "../../../rpc/call.ts";
import type { Clock } from "../../../rpc/clock.ts";
import { type ErrorObject, isObject } from "../../../rpc/message.ts";
import { describeValue } from "../../../text/describe-value.ts";
import { type Capabilities, Method } from "../../protocol.ts";
import { invalidParams } from "../../refusals.ts";
import { TASKS } from "../../task.ts";
import type { RevisionTraits } from "../../versions.ts";
import type { Caller } from "../caller.ts";
import { ModernCaller, type Outcome } from "../modern/modern-caller.ts";
import { randomId } from "../random-id.ts";
import type { ServerCall } from "../server-call.ts";
import type { AttachedServer, FeatureHandler, ServerFeature } from "../server-feature.ts";
import { type Topic, textsOf } from "../topic.ts";
import type { Task, TaskEnd } from "./task.ts";
import { type TaskOrder, TaskRecords } from "./task-records.ts";

const CHANGED = "notifications/tasks";

export interface TasksOptions {
  /**
   * How long a task counts as running after the last sign of life of its instance, in milliseconds; 5000 by
   * default. After that it is `failed`.
   */
  readonly leaseMs?: number;
  /**
   * The limit of stored tasks of one instance, including finished ones; 1000 by default. At the limit, a new one
   * replaces the oldest finished one of its principal, or one of the principal that has most, or is refused. Their
   * results may take 64 Mi characters, shared out in the same way.
   */
  readonly maxTasks?: number;
  readonly clock?: Clock;
}

/** How a call becomes a task. */
export interface TaskOptions {
  /** How long the task is kept from now on; an hour by default, null for no limit. */
  readonly ttlMs?: number | null;
  /** The polling interval suggested to the client; 1000 by default. */
  readonly pollIntervalMs?: number;
  /** Whether a client without tasks is refused; otherwise its call continues and is answered at the end. */
  readonly required?: boolean;
}

/** The features by their servers, so that a call finds the one of its server. */
const featureOf = new WeakMap<object, Tasks>();

/**
 * Lets calls of a server's tools become tasks (extension `io.modelcontextprotocol/tasks`, for 2026-07-28), which
 * are stored in the server's store.
 */
export function tasks(options: TasksOptions = {}): ServerFeature {
  return new Tasks(options);
}

class Tasks implements ServerFeature {
  readonly requests: Readonly<Record<string, FeatureHandler<unknown>>>;
  readonly topics: Readonly<Record<string, Topic>>;
  /** The legacy era has no such tasks. */
  readonly audiences: Readonly<Record<string, () => boolean>> = { [CHANGED]: () => false };
  readonly #options: TasksOptions;
  #attached: { readonly server: AttachedServer; readonly records: TaskRecords } | undefined;

  constructor(options: TasksOptions) {
    this.#options = options;
    this.requests = {
      "tasks/get": (call, caller) => this.#find(call, caller),
      "tasks/update": (call, caller) => this.#update(call, caller),
      "tasks/cancel": (call, caller) => this.#cancel(call, caller),
    };
    this.topics = {
      taskIds: {
        method: CHANGED,
        narrow: (wanted, caller) => this.#narrow(textsOf("taskIds", wanted), caller),
        matches: (ids, params) => (ids as readonly unknown[]).includes(params?.["taskId"]),
      },
    };
  }

  capabilities({ stateless }: RevisionTraits): Capabilities {
    return stateless ? { extensions: { [TASKS]: {} } } : {};
  }

  attach(server: AttachedServer): void {
    const { leaseMs = 5000, maxTasks = 1000, clock } = this.#options;
    const { store, reportError: onerror } = server;
    const records = new TaskRecords({ store, leaseMs, maxTasks, clock, onerror });
    this.#attached = { server, records };
    featureOf.set(server, this);
    records.listen((order) => this.#receive(order));
  }

  get #records(): TaskRecords {
    if (this.#attached !== undefined) return this.#attached.records;
    throw new IdewireError("invalid-argument", "tasks(): not a feature of a server yet");
  }

  /** For {@link becomeTask}: stores a task of a call and answers the call with it. */
  async begin(
    { message, name }: ServerCall,
    caller: ModernCaller<unknown>,
    options: TaskOptions,
  ): Promise<void> {
    const { ttlMs = 3_600_000, pollIntervalMs = 1000 } = options;
    const at = new Date().toISOString();
    const taskId = randomId();
    const times = { createdAt: at, lastUpdatedAt: at, ttlMs, pollIntervalMs };
    const task: Task = { taskId, status: "working", ...times };
    const { principal } = caller;
    const scopes = this.#attached?.server.findTool(name)?.scopes;
    const call = { method: message.method, name, ...(scopes && { scopes }) };
    const stored = { task, call, ...(principal !== undefined && { principal }) };
    const running = await this.#records.begin(stored, (reason) => message.abort(reason));
    caller.detach({ resultType: "task", ...task }, running, (outcome) => {
      running.end(this.#records.toKeep(taskId, this.#toEnd(outcome)));
    });
  }

  /**
   * The task that a request names.
   * @throws RpcError -32602 when its principal has none with that id, -32600 if the client may not send the call that
   * became it, -32021 for a client without tasks
   */
  async #find({ params }: Call, caller: Caller): Promise<Task> {
    if (!hasTasks(caller)) throw withoutTasks();
    const taskId = params?.["taskId"];
    if (typeof taskId !== "string") {
      throw invalidParams(`taskId: expected a string, got ${describeValue(taskId)}`);
    }
    const found = await this.#records.find(taskId, caller.principal);
    if (found === undefined) throw invalidParams(`Unknown task: ${describeValue(taskId)}`);
    if (caller.refuses?.(found.call) === true) {
      const text = `Refused, as a call of ${found.call.name} would be: other rights are needed`;
      throw new RpcError(RpcErrorCode.InvalidRequest, text);
    }
    return found.task;
  }

  async #update(call: Call, caller: Caller): Promise<object> {
    const { inputResponses } = call.params ?? {};
    if (!isObject(inputResponses)) {
      const seen = describeValue(inputResponses);
      throw invalidParams(`inputResponses: expected an object, got ${seen}`);
    }
    const { taskId } = await this.#find(call, caller);
    return this.#pass({ taskId, inputResponses });
  }

  async #cancel(call: Call, caller: Caller): Promise<object> {
    const { taskId } = await this.#find(call, caller);
    return this.#pass({ taskId, cancel: true });
  }

  /** Passes a request on to the instance that runs the task. */
  async #pass(order: TaskOrder): Promise<object> {
    await this.#records.broadcast(order);
    return {};
  }

  #receive({ taskId, cancel, inputResponses, task }: TaskOrder): void {
    const running = this.#records.running(taskId);
    if (inputResponses !== undefined) running?.answer(inputResponses);
    if (cancel === true) running?.cancel();
    if (task !== undefined) this.#attached?.server.emitLocal(CHANGED, { ...task });
  }

  async #narrow(ids: readonly string[], caller: Caller): Promise<readonly string[] | undefined> {
    if (!hasTasks(caller)) throw withoutTasks();
    const found = await Promise.all(ids.map((id) => this.#records.find(id, caller.principal)));
    return ids.filter((_, index) => {
      const each = found[index];
      if (each === undefined || caller.refuses?.(each.call) === true) return false;
      this.#records.watch(each.task, caller.principal);
      return true;
    });
  }

  #toEnd(outcome: Outcome): TaskEnd {
    if (!("error" in outcome)) {
      const result = { resultType: "complete", ...(outcome.result as object) };
      return { status: "completed", result };
    }
    return { status: "failed", error: this.#toErrorObject(outcome.error) };
  }

  #toErrorObject(error: unknown): ErrorObject {
    if (error instanceof RpcError) {
      const { code, message, data } = error;
      return { code, message, ...(data !== undefined && { data }) };
    }
    this.#attached?.server.reportError(error);
    return { code: RpcErrorCode.InternalError, message: "Internal error" };
  }
}

/**
 * Makes a tool's call a task, if its client supports tasks: the client is answered immediately, and polls for the
 * result; the tool continues as before. From now on its questions are asked through the task. Progress and log
 * messages are no longer sent. `call.signal` is aborted when the task is cancelled. Without effect for a call that
 * is a task already.
 * @throws RpcError -32021 when the task is required and the client does not support tasks
 */
export async function becomeTask(call: ServerCall, options: TaskOptions = {}): Promise<void> {
  if (call.method !== Method.ToolsCall) {
    throw new IdewireError("invalid-argument", `${call.method}: only a tool's call becomes a task`);
  }
  const { caller } = call;
  const feature = caller instanceof ModernCaller ? featureOf.get(caller.server) : undefined;
  if (feature === undefined || !(caller instanceof ModernCaller) || !hasTasks(caller)) {
    if (options.required === true) throw withoutTasks();
    return;
  }
  if (caller.questions?.isOpen === true) {
    throw new IdewireError(
      "input-required",
      "Before it becomes a task, the call has to be answered",
    );
  }
  if (!caller.isDetached) await feature.begin(call, caller, options);
}

function hasTasks({ clientCapabilities, traits }: Caller): boolean {
  const { extensions } = clientCapabilities;
  return traits.stateless && isObject(extensions) && isObject(extensions[TASKS]);
}

function withoutTasks(): RpcError {
  const requiredCapabilities = { extensions: { [TASKS]: {} } };
  const text = `This needs a client with ${TASKS}`;
  return new RpcError(RpcErrorCode.MissingClientCapability, text, { requiredCapabilities });
}
