import { expect, test } from "vitest";
import { manualClock } from "../../../rpc/manual-clock.ts";
import { deferred } from "../../../testing/deferred.ts";
import { modernMeta } from "../../../testing/modern-fixture.ts";
import { settled } from "../../../testing/raw-end.ts";
import { able, accept, form, openTasks } from "../../../testing/tasks-fixture.ts";
import { memoryStore } from "../memory-store.ts";
import type { ServerCall } from "../server-call.ts";
import type { McpStore } from "../store.ts";
import { becomeTask } from "./tasks.ts";

test("a task is stored before it is answered", async () => {
  const store = memoryStore();
  const stored = deferred<void>();
  const tasks: McpStore["tasks"] = {
    get: (id) => store.tasks.get(id),
    replace: (...all) => store.tasks.replace(...all),
    delete: (id) => store.tasks.delete(id),
    set: (...all) => stored.promise.then(() => store.tasks.set(...all)),
  };
  const { client, callTool } = openTasks(
    async (call) => {
      await becomeTask(call);
      return "";
    },
    { store: { ...store, tasks } },
  );
  const answer = callTool();
  await settled();
  expect(client.frames).toEqual([]);
  stored.resolve();
  expect((await answer).result).toMatchObject({ resultType: "task" });
});

test("an answer and a cancellation reach a task on another instance, and its state is visible everywhere", async () => {
  const store = memoryStore();
  const run = async (call: ServerCall<undefined>) => {
    await becomeTask(call);
    return call.ask("Who?", form);
  };
  const one = openTasks(run, { store });
  const two = openTasks(run, { store });
  const { taskId } = await one.begin();
  await two.until(taskId, "input_required");
  const inputResponses = { "question-1": accept("Ann") };
  await two.call("tasks/update", { taskId, inputResponses }, able);
  expect((await two.until(taskId, "completed")).result).toMatchObject({
    content: [{ text: JSON.stringify(accept("Ann")) }],
  });
  const { taskId: second } = await one.begin();
  await two.call("tasks/cancel", { taskId: second }, able);
  expect((await two.until(second, "cancelled")).status).toBe("cancelled");
});

/** A task that never ends by itself. */
async function endless(call: ServerCall<undefined>): Promise<string> {
  await becomeTask(call);
  return deferred<string>().promise;
}

test("a task whose process has ended has failed permanently", async () => {
  let nowMs = 0;
  const store = memoryStore({ now: () => nowMs });
  const clock = manualClock();
  const dead = openTasks(endless, { store, clock, leaseMs: 900 });
  const alive = openTasks(endless, { store });
  const { taskId } = await dead.begin();
  const pass = async (ms: number) => {
    nowMs += ms;
    clock.advance(ms);
    await settled();
  };
  for (let n = 0; n < 5; n += 1) await pass(300);
  expect((await alive.get(taskId)).status).toBe("working");
  // The process is killed: its clock stands still.
  nowMs += 900;
  const lost = await alive.get(taskId);
  expect(lost).toMatchObject({ status: "failed", error: { code: -32_603 } });
  nowMs += 60_000;
  expect(await alive.get(taskId)).toEqual(lost);
});

test("a listener of a task is notified by its own instance when the task's instance is gone", async () => {
  let nowMs = 0;
  const store = memoryStore({ now: () => nowMs });
  const clock = manualClock();
  const dead = openTasks(endless, { store, clock: manualClock(), leaseMs: 900 });
  const alive = openTasks(endless, { store, clock, leaseMs: 900 });
  const { taskId } = await dead.begin();
  const params = { notifications: { taskIds: [taskId] }, _meta: modernMeta(able) };
  alive.client.request("l", "subscriptions/listen", params);
  await alive.client.take();
  nowMs += 901;
  clock.advance(300);
  expect(await alive.client.take()).toMatchObject([
    { method: "notifications/tasks", params: { taskId, status: "failed" } },
  ]);
  clock.advance(300);
  await settled();
  // No poll of the store is scheduled.
  expect(clock.waiting).toBe(0);
});

test("an expired task no longer exists", async () => {
  let nowMs = 0;
  const store = memoryStore({ now: () => nowMs });
  const { begin, call } = openTasks(
    async (each) => {
      await becomeTask(each, { ttlMs: 1000 });
      return "";
    },
    { store },
  );
  const { taskId } = await begin();
  nowMs += 1001;
  expect((await call("tasks/get", { taskId }, able)).error).toMatchObject({ code: -32_602 });
});

test("the reported loss of a task is final, even if its process was only unreachable", async () => {
  let nowMs = 0;
  const store = memoryStore({ now: () => nowMs });
  const clock = manualClock();
  const result = deferred<string>();
  const signals: AbortSignal[] = [];
  const run = async (call: ServerCall<undefined>) => {
    await becomeTask(call);
    signals.push(call.signal);
    return result.promise;
  };
  const cutOff = openTasks(run, { store, clock, leaseMs: 900 });
  const other = openTasks(run, { store });
  const { taskId } = await cutOff.begin();
  nowMs += 901;
  const lost = await other.get(taskId);
  expect(lost.status).toBe("failed");
  result.resolve("late");
  await settled();
  expect(await other.get(taskId)).toEqual(lost);
  expect(await cutOff.get(taskId)).toEqual(lost);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test("a state that could not be stored is stored as soon as possible", async () => {
  const store = memoryStore();
  const clock = manualClock();
  const result = deferred<string>();
  let isDown = false;
  const down = () => (isDown ? Promise.reject(new Error("down")) : undefined);
  const tasks: McpStore["tasks"] = {
    get: (id) => down() ?? store.tasks.get(id),
    replace: (...all) => down() ?? store.tasks.replace(...all),
    delete: (id) => down() ?? store.tasks.delete(id),
    set: (...all) => down() ?? store.tasks.set(...all),
  };
  const run = async (call: ServerCall<undefined>) => {
    await becomeTask(call);
    return result.promise;
  };
  const { begin, call, get, callTool, problems } = openTasks(run, {
    store: { ...store, tasks },
    clock,
    leaseMs: 900,
  });
  const { taskId } = await begin();
  isDown = true;
  result.resolve("done");
  await settled();
  const away = { error: { code: -32_603, data: { retryAfterMs: 1000 } } };
  expect(await call("tasks/get", { taskId }, able)).toMatchObject(away);
  expect(await callTool()).toMatchObject(away);
  expect(problems.map(({ message }) => message)).toContain("down");
  isDown = false;
  clock.advance(300);
  await settled();
  expect((await get(taskId)).status).toBe("completed");
});
