import * as v from "valibot";
import { expect, test, vi } from "vitest";
import { IdewireError, RpcError } from "../../errors.ts";
import { manualClock } from "../../rpc/manual-clock.ts";
import { createMemoryTransportPair } from "../../rpc/memory-transport.ts";
import { textResult } from "../content.ts";
import { McpServer } from "../server/server.ts";
import type { ServerCall } from "../server/server-call.ts";
import { becomeTask, tasks as serverTasks } from "../server/tasks/tasks.ts";
import { McpClient } from "./client.ts";
import { elicitation } from "./elicitation.ts";
import type { ClientFeature } from "./feature.ts";
import { resumeTask, tasks } from "./tasks.ts";

const info = { name: "me", version: "1" };
const nameForm = v.object({ name: v.string() });

function serve(work: (call: ServerCall) => Promise<string>) {
  const server = new McpServer({ ...info, features: [serverTasks()] });
  server.tool("t", {}, async (_, call) => {
    await becomeTask(call, { pollIntervalMs: 1 });
    return work(call);
  });
  return (given: readonly ClientFeature[]) => {
    const [left, right] = createMemoryTransportPair();
    server.connect(left);
    return McpClient.connect(right, { ...info, features: given });
  };
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

test.each([false, true])(
  "a call that becomes a task has the task's result (notified: %s)",
  async (listen) => {
    const ontask = vi.fn();
    const connect = serve(async () => {
      await pause();
      return "built";
    });
    const client = await connect([tasks({ listen, ontask })]);
    expect(await client.callTool("t")).toMatchObject(textResult("built"));
    expect(ontask).toHaveBeenCalledTimes(1);
  },
);

test("a task's questions are answered, once each", async () => {
  const form = vi.fn(({ message }: { message: string }) => ({
    action: "accept" as const,
    content: { name: message },
  }));
  const connect = serve(async (call) => {
    const one = await call.ask("One?", nameForm);
    const two = await call.ask("Two?", nameForm);
    return JSON.stringify([one, two]);
  });
  const client = await connect([tasks(), elicitation({ form })]);
  const { content } = await client.callTool("t");
  expect(content).toEqual([
    {
      type: "text",
      text: '[{"action":"accept","content":{"name":"One?"}},{"action":"accept","content":{"name":"Two?"}}]',
    },
  ]);
  expect(form).toHaveBeenCalledTimes(2);
});

test("a failed task rejects its call with the reason", async () => {
  const connect = serve(async () => {
    await pause();
    throw new RpcError(-5, "broken", { at: 1 });
  });
  const client = await connect([tasks()]);
  await expect(client.callTool("t")).rejects.toMatchObject({ code: -5, data: { at: 1 } });
});

test("cancelling the call cancels the task", async () => {
  const cancelled = vi.fn();
  const connect = serve(
    (call) =>
      new Promise(() => {
        call.signal.addEventListener("abort", cancelled);
      }),
  );
  const controller = new AbortController();
  const client = await connect([tasks({ ontask: () => controller.abort() })]);
  const call = client.callTool("t", {}, { signal: controller.signal });
  await expect(call).rejects.toMatchObject({ code: "cancelled" });
  await expect.poll(() => cancelled).toHaveBeenCalled();
});

test("another client that has the id gets the result, too", async () => {
  let finish: (text: string) => void = () => {};
  const finished = new Promise<string>((resolve) => {
    finish = resolve;
  });
  const connect = serve(() => finished);
  const ontask = vi.fn();
  const first = await connect([tasks({ ontask })]);
  first.callTool("t").catch(() => {});
  await expect.poll(() => ontask).toHaveBeenCalled();
  void first.close();
  const [[id]] = ontask.mock.calls as [[string]];
  const second = await connect([tasks()]);
  const resumed = resumeTask(second, id);
  finish("late");
  expect(await resumed).toMatchObject(textResult("late"));
  await expect(resumeTask(second, "unknown")).rejects.toMatchObject({ code: -32_602 });
});

test.each([
  ["cannot be reached any more", new IdewireError("unreachable", "gone"), 12],
  ["has forgotten the task", new RpcError(-32_602, "no such task"), 3],
])("a task whose server %s is lost, and not started again", async (_, failure, requests) => {
  const sent: string[] = [];
  const session = {
    revision: "2026-07-28",
    redact: (value: unknown) => value,
    async request(method: string) {
      sent.push(method);
      if (sent.length > 2) throw failure;
      return { taskId: "t", status: "working", pollIntervalMs: 1 };
    },
  };
  const clock = manualClock();
  const resumed = resumeTask({ session } as unknown as McpClient, "t", { clock }).catch(
    (error) => error,
  );
  const waiting = setInterval(() => clock.advance(50), 0);
  const error = await resumed;
  clearInterval(waiting);
  expect(error).toMatchObject({ code: "lost", message: expect.stringContaining('the task "t"') });
  expect(sent).toEqual(Array(requests).fill("tasks/get"));
});

test("an undelivered answer to a task's question is resent, without asking again", async () => {
  const answer = vi.fn(() => ({ result: { action: "decline" } }));
  const sent: unknown[] = [];
  const question = { method: "elicitation/create", params: {} };
  const session = {
    revision: "2026-07-28",
    answer,
    async request(method: string, params: object) {
      sent.push([method, params]);
      if (sent.length === 2) throw new IdewireError("lost", "gone");
      const isAnswered = method === "tasks/get" && sent.length > 3;
      if (isAnswered) return { taskId: "t", status: "completed", result: textResult("done") };
      return { taskId: "t", status: "input_required", inputRequests: { q: question } };
    },
  };
  const clock = manualClock();
  const waiting = setInterval(() => clock.advance(2000), 0);
  const result = await resumeTask({ session } as unknown as McpClient, "t", { clock });
  clearInterval(waiting);
  expect(result).toEqual(textResult("done"));
  expect(answer).toHaveBeenCalledTimes(1);
  const update = ["tasks/update", { taskId: "t", inputResponses: { q: { action: "decline" } } }];
  expect(sent).toEqual([
    ["tasks/get", { taskId: "t" }],
    update,
    update,
    ["tasks/get", { taskId: "t" }],
  ]);
});

test("for a client without tasks the call is answered at its end", async () => {
  const client = await serve(async () => "plain")([]);
  expect(await client.callTool("t")).toMatchObject(textResult("plain"));
});
