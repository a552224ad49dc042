import { IdewireError, RpcError, RpcErrorCode } from "../../errors.ts";
import { badResult } from "../../rpc/bad-result.ts";
import { type Clock, systemClock } from "../../rpc/clock.ts";
import { asObject, isObject, type Params } from "../../rpc/message.ts";
import type { RequestOptions } from "../../rpc/request-options.ts";
import { describeValue } from "../../text/describe-value.ts";
import type { CallToolResult } from "../content.ts";
import { TASKS } from "../task.ts";
import { modernRevision } from "../versions.ts";
import type { McpClient } from "./client.ts";
import type { ClientFeature, ClientSession } from "./feature.ts";
import { callsAsTasks, followLegacy } from "./legacy-tasks.ts";
import { answerAll } from "./modern/questions.ts";
import type { Subscription } from "./subscription.ts";
import { isAway, isForgotten, LEAST_POLL_MS, MAX_FAILURES, taskLost } from "./task-errors.ts";

// The extension io.modelcontextprotocol/tasks: the client's end.

const GET = "tasks/get";
/** The polling interval for a task whose server reports changes, in case that breaks. */
const LISTENING_POLL_MS = 30_000;

export interface FollowOptions {
  /** Whether to subscribe to changes, so that the task is rarely polled. */
  readonly listen?: boolean;
  /** Called with the id when a call has become a task, which {@link resumeTask} takes. */
  readonly ontask?: (taskId: string) => void;
  readonly clock?: Clock;
}

/**
 * Lets servers turn tool calls into tasks, in 2026-07-28, and calls the tools that require it as tasks, in
 * 2025-11-25. `callTool` follows them to their end: it answers their questions, resolves with their result, and
 * cancels them when its signal aborts.
 */
export function tasks(options: FollowOptions = {}): ClientFeature {
  return {
    capabilities: (revision) =>
      revision === modernRevision ? { extensions: { [TASKS]: {} } } : {},
    around: callsAsTasks(options),
    results: {
      task: (task, request, session) => {
        options.ontask?.(String(task["taskId"]));
        return follow(new Follower(session, options, request.options), task);
      },
    },
  };
}

/**
 * Follows a task that was begun before, also by another process, to its end.
 * @throws IdewireError `cancelled` when it was cancelled, or the signal aborts
 * @throws RpcError why it failed; -32602 for an unknown id
 */
export async function resumeTask(
  client: McpClient,
  taskId: string,
  options: FollowOptions & RequestOptions = {},
): Promise<CallToolResult> {
  const { session } = client;
  if (session.revision !== modernRevision) {
    const task = asObject(await session.request(GET, { taskId }, requestOptions(options)));
    return (await followLegacy(session, task, options)) as CallToolResult;
  }
  const follower = new Follower(session, options, options);
  return (await follow(follower, await follower.get(taskId))) as CallToolResult;
}

async function follow(follower: Follower, first: Params): Promise<unknown> {
  const taskId = String(first["taskId"]);
  let task = first;
  let failures = 0;
  try {
    while (task["status"] === "working" || task["status"] === "input_required") {
      try {
        if (task["status"] === "input_required") await follower.answer(task);
        await follower.pause(task);
        task = await follower.get(taskId);
        failures = 0;
      } catch (error) {
        failures += 1;
        if (isForgotten(error)) throw taskLost(follower.redact(taskId), error);
        if (!isAway(error)) throw error;
        if (failures === MAX_FAILURES) throw taskLost(follower.redact(taskId), error);
        await follower.pause(task);
      }
    }
    return task["status"] === "completed" ? task["result"] : fail(follower.redact(task));
  } catch (error) {
    follower.cancelIfAborted(taskId);
    throw error;
  } finally {
    follower.end();
  }
}

/** @throws why a task has no result */
function fail(task: Params): never {
  switch (task["status"]) {
    case "failed":
      throw toError(task["error"]);
    case "cancelled": {
      const id = describeValue(task["taskId"]);
      throw new IdewireError("cancelled", `The task ${id} was cancelled`);
    }
    default:
      throw badResult("server", GET, task);
  }
}

/** The options of the requests that follow a task. */
function requestOptions({ signal, timeoutMs }: RequestOptions): RequestOptions {
  return { ...(signal && { signal }), ...(timeoutMs !== undefined && { timeoutMs }) };
}

/** Polls one task. */
class Follower {
  readonly #client: ClientSession;
  readonly #follow: FollowOptions;
  readonly #request: RequestOptions;
  readonly #clock: Clock;
  /** The keys of the answered questions; none is used twice. */
  readonly #answered = new Set<string>();
  /** The answers that have not arrived. */
  #unsent: Params = {};
  #subscription: Promise<Subscription | undefined> | undefined;
  #wake: () => void = () => {};
  #timer: unknown;

  constructor(client: ClientSession, how: FollowOptions, request: RequestOptions = {}) {
    this.#client = client;
    this.#follow = how;
    this.#request = requestOptions(request);
    this.#clock = how.clock ?? systemClock;
  }

  async get(taskId: string): Promise<Params> {
    const task = await this.#client.request(GET, { taskId }, this.#request);
    if (isObject(task) && task["taskId"] === taskId) return task;
    throw badResult("server", GET, task, this);
  }

  redact<T>(value: T): T {
    return this.#client.redact(value);
  }

  /** Answers the open questions. */
  async answer({ taskId, inputRequests }: Params): Promise<void> {
    const all = Object.entries(asObject(inputRequests));
    const asked = all.filter(([key]) => !this.#answered.has(key));
    if (asked.length === 0) return;
    const open = asked.filter(([key]) => !Object.hasOwn(this.#unsent, key));
    const { signal } = this.#request;
    const asking = { method: GET, result: { inputRequests }, signal };
    const answers = await answerAll(this.#client, asking, Object.fromEntries(open));
    this.#unsent = { ...this.#unsent, ...answers };
    const params = { taskId, inputResponses: this.#unsent };
    await this.#client.request("tasks/update", params, this.#request);
    this.#unsent = {};
    for (const [key] of asked) this.#answered.add(key);
  }

  /** Waits as long as the server wishes, or until it reports a change. */
  async pause({ taskId, pollIntervalMs }: Params): Promise<void> {
    const hasListeners = (await this.#listen(String(taskId))) !== undefined;
    const pollMs = typeof pollIntervalMs === "number" ? pollIntervalMs : 1000;
    const { signal } = this.#request;
    if (signal?.aborted === true) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      signal?.addEventListener("abort", this.#wake);
      const delayMs = hasListeners ? LISTENING_POLL_MS : Math.max(pollMs, LEAST_POLL_MS);
      this.#timer = this.#clock.setTimeout(resolve, delayMs);
    });
    this.#clock.clearTimeout(this.#timer);
    signal?.removeEventListener("abort", this.#wake);
  }

  #listen(taskId: string): Promise<Subscription | undefined> | undefined {
    if (this.#follow.listen !== true) return undefined;
    const onnotification = (): void => this.#wake();
    const topics = { taskIds: [taskId] };
    this.#subscription ??= this.#client
      .listen(topics, { onnotification, onreopen: onnotification })
      .then(
        (subscription) => subscription,
        () => undefined,
      );
    return this.#subscription;
  }

  cancelIfAborted(taskId: string): void {
    if (this.#request.signal?.aborted !== true) return;
    this.#client.request("tasks/cancel", { taskId }).catch(() => {});
  }

  end(): void {
    void this.#subscription?.then((subscription) => subscription?.close());
  }
}

function toError(error: unknown): Error {
  if (!isObject(error) || typeof error["code"] !== "number") {
    return new RpcError(RpcErrorCode.InternalError, `The task failed: ${describeValue(error)}`);
  }
  return new RpcError(error["code"], String(error["message"]), error["data"]);
}
