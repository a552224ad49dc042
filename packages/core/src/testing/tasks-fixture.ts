import * as v from "valibot";
import { memoryStore } from "../mcp/server/memory-store.ts";
import { McpServer } from "../mcp/server/server.ts";
import type { ServerCall } from "../mcp/server/server-call.ts";
import type { McpStore } from "../mcp/server/store.ts";
import type { Task } from "../mcp/server/tasks/task.ts";
import { type TasksOptions, tasks } from "../mcp/server/tasks/tasks.ts";
import type { Params, RawMessage } from "../rpc/message.ts";
import { type ModernFixture, openModern } from "./modern-fixture.ts";
import { untilFound } from "./raw-end.ts";

/** The capabilities of a client that supports tasks and answers forms. */
export const able = { extensions: { "io.modelcontextprotocol/tasks": {} }, elicitation: {} };
/** A form with one field. */
export const form: v.GenericSchema<unknown, { name: string }> = v.object({ name: v.string() });
/** The answer to the form. */
export function accept(name: string): object {
  return { action: "accept", content: { name } };
}

interface OpenOptions extends TasksOptions {
  readonly principal?: string;
  readonly store?: McpStore;
}

/** A client of a server with tasks. */
export interface TaskClient extends ModernFixture {
  /** Calls the tool. */
  callTool(capabilities?: Params, more?: Params): Promise<RawMessage>;
  get(taskId: string): Promise<Task>;
  /** Calls the tool, which becomes a task. */
  begin(): Promise<Task & { readonly resultType: string }>;
  /** Asks for a task until it is in a state. */
  until(taskId: string, status: Task["status"]): Promise<Task>;
}

/** A server with tasks and a client of it. */
export interface TasksFixture extends TaskClient {
  readonly problems: readonly Error[];
  /** Connects one more client. */
  join(principal?: string): TaskClient;
}

/** Opens a server with a tool `t` that does `run`. */
export function openTasks(
  run: (call: ServerCall<undefined>) => unknown,
  { principal, store = memoryStore(), ...options }: OpenOptions = {},
): TasksFixture {
  const problems: Error[] = [];
  const onerror = (error: Error) => void problems.push(error);
  const server = new McpServer<undefined>({
    ...{ name: "s", version: "1", onerror, store },
    features: [tasks(options)],
  });
  server.tool("t", {}, async (_, call) => JSON.stringify(await run(call)) ?? "");
  const join = (who?: string): TaskClient => {
    const fixture = openModern(server, who === undefined ? {} : { principal: who });
    const callTool = (capabilities: Params = able, more: Params = {}) =>
      fixture.call("tools/call", { name: "t", ...more }, capabilities);
    const get = async (taskId: string) =>
      (await fixture.call("tasks/get", { taskId }, able)).result as Task;
    const begin = async () => (await callTool()).result as Task & { readonly resultType: string };
    const until = async (taskId: string, status: Task["status"]) => {
      let task = await get(taskId);
      await untilFound(async () => {
        if (task.status !== status) task = await get(taskId);
        return task.status === status || undefined;
      });
      return task;
    };
    return { ...fixture, callTool, get, begin, until };
  };
  return { problems, join, ...join(principal) };
}
