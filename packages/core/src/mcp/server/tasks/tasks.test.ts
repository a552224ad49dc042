import { expect, test } from "vitest";
import { RpcError, ToolFailure } from "../../../errors.ts";
import type { RawMessage } from "../../../rpc/message.ts";
import { deferred } from "../../../testing/deferred.ts";
import { modernMeta } from "../../../testing/modern-fixture.ts";
import { settled } from "../../../testing/raw-end.ts";
import { able, accept, form, openTasks } from "../../../testing/tasks-fixture.ts";
import type { Task } from "./task.ts";
import { becomeTask } from "./tasks.ts";

const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text;

test("a call becomes a task, whose result is available on request", async () => {
  const gate = deferred<string>();
  const { begin, get, until, call } = openTasks(async (each) => {
    await becomeTask(each, { ttlMs: 60_000, pollIntervalMs: 50 });
    return gate.promise;
  });
  const task = await begin();
  expect(task).toMatchObject({
    resultType: "task",
    taskId: expect.stringMatching(/^[0-9a-f]{32}$/),
    status: "working",
    ttlMs: 60_000,
    pollIntervalMs: 50,
    _meta: { "io.modelcontextprotocol/serverInfo": { name: "s" } },
  });
  expect(new Date(task.createdAt).toISOString()).toBe(task.createdAt);
  expect(await get(task.taskId)).toMatchObject({ resultType: "complete", status: "working" });
  gate.resolve("done");
  const done = await until(task.taskId, "completed");
  expect(textOf(done.result)).toBe('"done"');
  expect(done).not.toHaveProperty("inputRequests");
  expect((await call("server/discover")).result).toMatchObject({
    capabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } },
  });
});

test.each([
  [
    "a failure for the model",
    new ToolFailure("no such file"),
    "completed",
    { result: { isError: true } },
  ],
  [
    "a refusal",
    new RpcError(-32_000, "no", { a: 1 }),
    "failed",
    { error: { code: -32_000, message: "no", data: { a: 1 } } },
  ],
  ["a bug", new Error("broken"), "completed", { result: { isError: true } }],
] as const)("%s of a task determines its final state", async (_, error, status, outcome) => {
  const { begin, until, problems } = openTasks(async (call) => {
    await becomeTask(call);
    throw error;
  });
  const task = await until((await begin()).taskId, status);
  expect(task).toMatchObject({ status, ...outcome });
  expect(Object.keys(task).filter((key) => key === "result" || key === "error").length).toBe(1);
  expect(problems).toEqual(error.message === "broken" ? [error] : []);
});

test("a task's questions belong to the task, and are answered in part or in whole", async () => {
  const { begin, until, call } = openTasks(async (each) => {
    await becomeTask(each);
    return Promise.all([each.ask("One?", form, { key: "one" }), each.ask("Two?", form)]);
  });
  const { taskId } = await begin();
  const asked = await until(taskId, "input_required");
  expect(Object.keys(asked.inputRequests ?? {})).toEqual(["one", "question-1"]);
  const update = async (inputResponses: unknown) =>
    (await call("tasks/update", { taskId, inputResponses }, able)).result;
  const ack = { resultType: "complete", _meta: expect.anything() };
  expect(await update({ one: accept("A"), other: 1, __proto__: 2 })).toEqual(ack);
  const rest = await until(taskId, "input_required");
  expect(rest.inputRequests).toMatchObject({
    "question-1": { method: "elicitation/create", params: { message: "Two?" } },
  });
  expect(Object.keys(rest.inputRequests ?? {})).toEqual(["question-1"]);
  await update({ "question-1": { action: "maybe" }, one: accept("B") });
  expect((await until(taskId, "input_required")).status).toBe("input_required");
  await update({ "question-1": accept("C") });
  const done = await until(taskId, "completed");
  expect(JSON.parse(textOf(done.result) ?? "")).toEqual([accept("A"), accept("C")]);
});

test("a key is never reused in the life of a task", async () => {
  const { begin, until, call } = openTasks(async (each) => {
    await becomeTask(each);
    const ask = () => each.ask("Again?", form, { key: "k" });
    return [await ask(), await ask()];
  });
  const { taskId } = await begin();
  const keys: string[] = [];
  for (let n = 0; n < 2; n += 1) {
    const [key = ""] = Object.keys((await until(taskId, "input_required")).inputRequests ?? {});
    keys.push(key);
    await call("tasks/update", { taskId, inputResponses: { [key]: accept("A") } }, able);
  }
  expect(keys).toEqual(["k", "k-2"]);
  expect((await until(taskId, "completed")).status).toBe("completed");
});

test("questions before the call becomes a task belong to the call", async () => {
  const { callTool, until } = openTasks(async (call) => {
    const answer = await call.ask("Who?", form, { key: "user" });
    await becomeTask(call);
    return answer;
  });
  const first = (await callTool()).result as { resultType: string; requestState: string };
  expect(first).toMatchObject({ resultType: "input_required", inputRequests: { user: {} } });
  const { requestState } = first;
  const inputResponses = { user: accept("Ann") };
  const task = (await callTool(able, { requestState, inputResponses })).result as Task;
  expect(task).toMatchObject({ resultType: "task" });
  expect(textOf((await until(task.taskId, "completed")).result)).toBe(
    JSON.stringify(accept("Ann")),
  );
});

test("a call that has swallowed its question does not become a task", async () => {
  const { callTool } = openTasks(async (call) => {
    await call.ask("Who?", form).catch(() => undefined);
    await becomeTask(call);
    return "never";
  });
  expect((await callTool()).result).toMatchObject({ resultType: "input_required" });
});

test("cancelling aborts the handler, and repeating it changes nothing", async () => {
  const aborted = deferred<unknown>();
  const { begin, until, call, get } = openTasks(async (each) => {
    await becomeTask(each);
    each.signal.addEventListener("abort", () => aborted.resolve(each.signal.reason));
    await each.ask("Who?", form);
  });
  const { taskId } = await begin();
  await until(taskId, "input_required");
  for (let n = 0; n < 2; n += 1) {
    const { result } = await call("tasks/cancel", { taskId }, able);
    expect(result).toEqual({ resultType: "complete", _meta: expect.anything() });
  }
  expect(await aborted.promise).toMatchObject({ code: "cancelled" });
  await settled();
  const task = await get(taskId);
  expect(task.status).toBe("cancelled");
  expect(task).not.toHaveProperty("inputRequests");
});

test("without the extension a call continues and is answered at its end, or refused where required", async () => {
  const inline = openTasks(async (call) => {
    await becomeTask(call);
    return "inline";
  });
  expect(textOf((await inline.callTool({})).result)).toBe('"inline"');
  const required = openTasks((call) => becomeTask(call, { required: true }));
  const refused = {
    code: -32_021,
    data: { requiredCapabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } } },
  };
  expect((await required.callTool({})).error).toMatchObject(refused);
  for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
    const params = { taskId: "x", inputResponses: {} };
    expect((await required.call(method, params)).error).toMatchObject(refused);
  }
});

test.each([
  ["tasks/get", { taskId: "none" }, "Unknown task"],
  ["tasks/get", { taskId: 5 }, "expected a string, got 5"],
  ["tasks/update", { taskId: "__proto__", inputResponses: {} }, "Unknown task"],
  ["tasks/update", { taskId: "none" }, "inputResponses: expected an object"],
  ["tasks/cancel", {}, "expected a string, got nothing"],
])("%s %j is -32602", async (method, params, words) => {
  const { call } = openTasks(() => "");
  expect((await call(method, params, able)).error).toMatchObject({
    code: -32_602,
    message: expect.stringContaining(words),
  });
});

test("a task is visible only to its principal", async () => {
  const gate = deferred<string>();
  const { begin, join, until } = openTasks(
    async (call) => {
      await becomeTask(call);
      return gate.promise;
    },
    { principal: "ann" },
  );
  const { taskId } = await begin();
  for (const other of ["bob", undefined]) {
    const otherClient = join(other);
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      const { error } = await otherClient.call(method, { taskId, inputResponses: {} }, able);
      expect(error).toMatchObject({
        code: -32_602,
        message: expect.stringContaining("Unknown task"),
      });
    }
  }
  gate.resolve("done");
  expect((await until(taskId, "completed")).status).toBe("completed");
});

test("after it becomes a task, a call sends no progress and no log messages", async () => {
  const { client, until } = openTasks(async (call) => {
    call.log("info", "before");
    await becomeTask(call);
    call.progress({ progress: 1 });
    call.log("info", "after");
    return "";
  });
  const _meta = modernMeta(able, { progressToken: 1, "io.modelcontextprotocol/logLevel": "debug" });
  client.request("r", "tools/call", { name: "t", _meta });
  const messages: RawMessage[] = [];
  for (let n = 0; n < 20; n += 1) messages.push(...(await client.take()));
  const answer = messages.find(({ id }) => id === "r") ?? {};
  await until((answer.result as Task).taskId, "completed");
  expect(messages.filter(({ method }) => method !== undefined)).toMatchObject([
    { method: "notifications/message", params: { data: "before" } },
  ]);
});

test("a listener of a task receives its whole state", async () => {
  const gate = deferred<string>();
  const { begin, client, call } = openTasks(async (each) => {
    await becomeTask(each);
    return gate.promise;
  });
  const { taskId } = await begin();
  const notifications = { taskIds: [taskId, "unknown"] };
  client.request("l", "subscriptions/listen", { notifications, _meta: modernMeta(able) });
  const _meta = { "io.modelcontextprotocol/subscriptionId": "l" };
  expect(await client.take()).toMatchObject([
    {
      method: "notifications/subscriptions/acknowledged",
      params: { _meta, notifications: { taskIds: [taskId] } },
    },
  ]);
  gate.resolve("done");
  expect(await client.take()).toMatchObject([
    {
      method: "notifications/tasks",
      params: { _meta, taskId, status: "completed", result: { content: [{ text: '"done"' }] } },
    },
  ]);
  const refused = await call("subscriptions/listen", { notifications });
  expect(refused.error).toMatchObject({ code: -32_021 });
});

test("tasks are counted, and a principal cannot use up those of others", async () => {
  const gate = deferred<undefined>();
  const mallory = openTasks(
    async (call) => {
      await becomeTask(call);
      await gate.promise;
    },
    { principal: "mallory", maxTasks: 4 },
  );
  const first = [];
  for (let count = 0; count < 4; count += 1) first.push(await mallory.begin());
  const refused = await mallory.callTool();
  expect(refused.error).toMatchObject({
    code: -32_603,
    message: expect.stringContaining("limit of 4"),
  });
  const ann = mallory.join("ann");
  const kept = [await ann.begin(), await ann.begin()];
  expect((await mallory.callTool()).error).toMatchObject({ code: -32_603 });
  for (const { taskId } of kept) expect((await ann.get(taskId)).status).toBe("working");
  const oldest = await mallory.call("tasks/get", { taskId: first[0]?.taskId }, able);
  expect(oldest.error).toMatchObject({ code: -32_602 });
  gate.resolve(undefined);
  await mallory.until(first[3]?.taskId ?? "", "completed");
  // A completed task is evicted for a new one of the same principal.
  expect((await mallory.callTool()).result).toMatchObject({ status: "working" });
  for (const { taskId } of kept)
    expect((await ann.until(taskId, "completed")).status).toBe("completed");
});

test("an expired task is not counted", async () => {
  const { begin, callTool } = openTasks((call) => becomeTask(call, { ttlMs: 20 }), { maxTasks: 1 });
  await begin();
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect((await callTool()).result).toMatchObject({ status: "working" });
});
