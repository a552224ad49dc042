import { IdewireError, RpcError, RpcErrorCode } from "../../errors.ts";
import { badResult } from "../../rpc/bad-result.ts";
import { type Clock, systemClock } from "../../rpc/clock.ts";
import { asObject, isObject, type Params } from "../../rpc/message.ts";
import type { RequestOptions } from "../../rpc/request-options.ts";
import { describeValue } from "../../text/describe-value.ts";
import { Method } from "../protocol.ts";
import type { ClientFeature, ClientRequest, ClientSession } from "./feature.ts";
import { listAll, toolList } from "./list-all.ts";
import { pause } from "./pause.ts";
import { isAway, isForgotten, LEAST_POLL_MS, MAX_FAILURES, taskLost } from "./task-errors.ts";

// MCP 2025-11-25, Basic / Utilities / Tasks: the client's end. A tool may require to be called as a task.

const GET = "tasks/get";
const DEFAULT_POLL_MS = 1_000;

/** The options of following a task. */
export interface LegacyFollowOptions {
  readonly ontask?: (taskId: string) => void;
  readonly clock?: Clock;
}

/** Calls the tools that require it as tasks, and follows these to their end. */
export function callsAsTasks(options: LegacyFollowOptions): NonNullable<ClientFeature["around"]> {
  const tools = new WeakMap<ClientSession, Map<unknown, unknown>>();
  return (request, send, session) => {
    if (!hasTasks(session)) return send(request);
    const known = tools.get(session) ?? new Map<unknown, unknown>();
    tools.set(session, known);
    const { method } = request;
    if (method === Method.ToolsList) return send(request).then((page) => learn(known, page));
    return method === Method.ToolsCall
      ? callTool({ request, send, session, known, options })
      : send(request);
  };
}

interface ToolCall {
  readonly request: ClientRequest;
  readonly send: (request: ClientRequest) => Promise<unknown>;
  readonly session: ClientSession;
  /** The `taskSupport` of the tools that were listed. */
  readonly known: Map<unknown, unknown>;
  readonly options: LegacyFollowOptions;
}

async function callTool(call: ToolCall): Promise<unknown> {
  const { request, send, session, known } = call;
  const name = request.params?.["name"];
  if (known.get(name) === "required") return callAsTask(call);
  try {
    return await send(request);
  } catch (error) {
    const isRefused = error instanceof RpcError && error.code === RpcErrorCode.MethodNotFound;
    if (!isRefused || known.has(name)) throw error;
    // A tool that was not listed may be one that requires a task.
    const { signal, timeoutMs } = request.options ?? {};
    await listAll(session, toolList, { signal, timeoutMs });
    if (known.get(name) !== "required") throw error;
    return callAsTask(call);
  }
}

async function callAsTask({ request, send, session, options }: ToolCall): Promise<unknown> {
  const answer = await send({ ...request, params: { ...request.params, task: {} } });
  const { task } = asObject(answer);
  if (!isObject(task)) return answer;
  options.ontask?.(String(task["taskId"]));
  return followLegacy(session, task, { ...request.options, ...options });
}

/**
 * Follows a task to its end. The server asks questions of the task by separate requests.
 * @throws IdewireError `cancelled` when it was cancelled, or the signal aborts
 */
export async function followLegacy(
  session: ClientSession,
  first: Params,
  { signal, timeoutMs, clock = systemClock }: LegacyFollowOptions & RequestOptions,
): Promise<unknown> {
  const taskId = String(first["taskId"]);
  const options = { signal, timeoutMs };
  let task = first;
  let failures = 0;
  try {
    for (;;) {
      try {
        if (task["status"] === "cancelled") throw wasCancelled(session.redact(taskId));
        // Its answer comes at the end of the task; meanwhile the server may send its questions with it.
        if (task["status"] !== "working") return await resultOf(session, taskId, signal);
        await pause(clock, pollMsOf(task), signal);
        task = await getTask(session, taskId, options);
        failures = 0;
      } catch (error) {
        failures += 1;
        if (!isAway(error) || isForgotten(error.cause)) throw error;
        if (failures === MAX_FAILURES) throw taskLost(session.redact(taskId), error);
        await pause(clock, pollMsOf(task), signal);
      }
    }
  } catch (error) {
    if (signal?.aborted === true) session.request("tasks/cancel", { taskId }).catch(() => {});
    throw error;
  }
}

function resultOf(
  session: ClientSession,
  taskId: string,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  return session.request("tasks/result", { taskId }, { signal, timeoutMs: Infinity });
}

async function getTask(
  session: ClientSession,
  taskId: string,
  options: RequestOptions,
): Promise<Params> {
  const task = await session.request(GET, { taskId }, options).catch((error) => {
    throw isForgotten(error) ? taskLost(session.redact(taskId), error) : error;
  });
  if (isObject(task) && typeof task["status"] === "string") return task;
  throw badResult("server", GET, task, session);
}

function wasCancelled(taskId: string): IdewireError {
  return new IdewireError("cancelled", `The task ${describeValue(taskId)} was cancelled`);
}

function hasTasks({ server: { capabilities } }: ClientSession): boolean {
  const { requests } = asObject(capabilities["tasks"]);
  return isObject(asObject(asObject(requests)["tools"])["call"]);
}

function learn(known: Map<unknown, unknown>, page: unknown): unknown {
  const { tools } = asObject(page);
  for (const tool of Array.isArray(tools) ? (tools as readonly unknown[]) : []) {
    const { name, execution } = asObject(tool);
    known.set(name, asObject(execution)["taskSupport"]);
  }
  return page;
}

function pollMsOf({ pollInterval }: Params): number {
  return Math.max(typeof pollInterval === "number" ? pollInterval : DEFAULT_POLL_MS, LEAST_POLL_MS);
}
