import { expect, test, vi } from "vitest";
import { createMemoryTransportPair } from "../../rpc/memory-transport.ts";
import { RawEnd } from "../../testing/raw-end.ts";
import { McpClient } from "./client.ts";
import { elicitation } from "./elicitation.ts";
import { resumeTask, tasks } from "./tasks.ts";

const info = { name: "me", version: "1" };
const done = { content: [{ type: "text", text: "done" }] };
const inputSchema = { type: "object" };

type Request = { id: number; method: string; params: Record<string, unknown> };

/** A server of 2025-11-25 whose tool `build` requires a task, which passes through the given states. */
class TaskServer {
  readonly methods: string[] = [];
  readonly end: RawEnd;
  readonly #states: string[];
  /** Called with the id of the request for the result, which a test may answer later. */
  onresult: (id: number) => void = (id) => this.end.answer(id, done);

  constructor(end: RawEnd, states: readonly string[]) {
    this.end = end;
    this.#states = [...states];
    end.transport.onframe = (frame) => this.#take(JSON.parse(frame));
  }

  #take({ id, method, params }: Request): void {
    if (method === undefined || id === undefined) return;
    this.methods.push(method);
    if (method === "initialize") this.#initialize(id);
    else if (method === "tools/list") this.#list(id);
    else if (method === "tools/call") this.#call(id, params);
    else if (method === "tasks/get") this.end.answer(id, this.#task(this.#states.shift()));
    else if (method === "tasks/result") this.onresult(id);
    else this.end.answer(id, this.#task("cancelled"));
  }

  #initialize(id: number): void {
    const capabilities = { tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } };
    this.end.answer(id, { protocolVersion: "2025-11-25", capabilities, serverInfo: info });
  }

  #list(id: number): void {
    const execution = { taskSupport: "required" };
    this.end.answer(id, { tools: [{ name: "build", inputSchema, execution }] });
  }

  #call(id: number, { name, task }: Record<string, unknown>): void {
    if (task !== undefined) this.end.answer(id, { task: this.#task("working") });
    else if (name === "plain") this.end.answer(id, done);
    else {
      const error = { code: -32_601, message: "the tool requires a task" };
      this.end.send({ jsonrpc: "2.0", id, error });
    }
  }

  #task(status = "completed"): object {
    return { taskId: "t1", status, createdAt: "", lastUpdatedAt: "", ttl: 60_000, pollInterval: 1 };
  }
}

async function connect(states: readonly string[], options: Parameters<typeof tasks>[0] = {}) {
  const [left, right] = createMemoryTransportPair();
  const server = new TaskServer(new RawEnd(right), states);
  const form = () => ({ action: "accept", content: { sure: true } }) as const;
  const features = [tasks(options), elicitation({ form })];
  const client = await McpClient.connect(left, { ...info, era: "legacy", features });
  server.methods.length = 0;
  return { server, client };
}

test("a tool that requires a task is called as one, and followed to its result", async () => {
  const ontask = vi.fn();
  const { server, client } = await connect(["working", "completed"], { ontask });
  await client.listTools();
  expect(await client.callTool("build")).toEqual(done);
  expect(ontask).toHaveBeenCalledWith("t1");
  expect(server.methods).toEqual([
    ...["tools/list", "tools/call", "tasks/get", "tasks/get", "tasks/result"],
  ]);
});

test("a tool that was not listed is looked up when it refuses a plain call", async () => {
  const { server, client } = await connect(["completed"]);
  expect(await client.callTool("build")).toEqual(done);
  expect(await client.callTool("plain")).toEqual(done);
  expect(server.methods).toEqual([
    ...["tools/call", "tools/list", "tools/call", "tasks/get", "tasks/result", "tools/call"],
  ]);
});

test("a failure of the task's tool is a result with isError", async () => {
  const { server, client } = await connect(["failed"]);
  server.onresult = (id) => server.end.answer(id, { ...done, isError: true });
  expect(await client.callTool("build")).toEqual({ ...done, isError: true });
});

test("the questions of a task are answered while its result is awaited", async () => {
  const { server, client } = await connect(["input_required"]);
  const answers: unknown[] = [];
  server.onresult = (id) => {
    const { onframe } = server.end.transport;
    server.end.transport.onframe = (frame) => {
      answers.push(JSON.parse(frame));
      server.end.answer(id, done);
      server.end.transport.onframe = onframe;
    };
    const requestedSchema = { type: "object", properties: { sure: { type: "boolean" } } };
    server.end.request(7, "elicitation/create", { message: "Sure?", requestedSchema });
  };
  expect(await client.callTool("build")).toEqual(done);
  expect(answers).toMatchObject([{ id: 7, result: { action: "accept", content: { sure: true } } }]);
});

test("cancelling the call cancels the task", async () => {
  const controller = new AbortController();
  const states = Array<string>(1_000).fill("working");
  const { server, client } = await connect(states, { ontask: () => controller.abort() });
  const call = client.callTool("build", {}, { signal: controller.signal });
  await expect(call).rejects.toMatchObject({ code: "cancelled" });
  await expect.poll(() => server.methods).toContain("tasks/cancel");
});

test("a task is resumed by its id", async () => {
  const { client } = await connect(["working", "completed"]);
  expect(await resumeTask(client, "t1")).toEqual(done);
});

test("a task that was cancelled rejects", async () => {
  const { client } = await connect(["cancelled"]);
  await expect(client.callTool("build")).rejects.toMatchObject({ code: "cancelled" });
});

test("a task that the server has forgotten is lost", async () => {
  const { server, client } = await connect(["working"]);
  const { onframe } = server.end.transport;
  server.end.transport.onframe = (frame) => {
    const { id, method } = JSON.parse(frame);
    const error = { code: -32_602, message: "no such task" };
    if (method === "tasks/get") server.end.send({ jsonrpc: "2.0", id, error });
    else onframe?.(frame);
  };
  await expect(client.callTool("build")).rejects.toMatchObject({
    code: "lost",
    message: expect.stringContaining('the task "t1"'),
  });
});
