import { expect, test } from "vitest";
import type { Call } from "../../../rpc/call.ts";
import { manualClock } from "../../../rpc/manual-clock.ts";
import { deferred } from "../../../testing/deferred.ts";
import { settled } from "../../../testing/raw-end.ts";
import { able, accept, form, openTasks } from "../../../testing/tasks-fixture.ts";
import { elicit } from "../client-features/elicitation.ts";
import { memoryStore } from "../memory-store.ts";
import type { McpStore } from "../store.ts";
import { becomeTask } from "./tasks.ts";

test("a task that is stored is there before its answer is", async () => {
  const store = memoryStore();
  const stored = deferred<void>();
  const tasks: McpStore["tasks"] = {
    get: (id) => store.tasks.get(id),
    delete: (id) => store.tasks.delete(id),
    lease: (id, ttlMs) => store.tasks.lease(id, ttlMs),
    isLeased: (id) => store.tasks.isLeased(id),
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

test("an answer and a cancellation reach a task on another instance, and its state is everywhere", async () => {
  const store = memoryStore();
  const run = async (call: Call) => {
    await becomeTask(call);
    return elicit(call, { message: "Who?", form });
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

test("a task whose process has ended is failed, and stays so", async () => {
  let nowMs = 0;
  const store = memoryStore({ now: () => nowMs });
  const clock = manualClock();
  const run = async (call: Call) => {
    await becomeTask(call);
    return deferred<string>().promise;
  };
  const dead = openTasks(run, { store, clock, leaseMs: 900 });
  const alive = openTasks(run, { store });
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

test("a task whose time is over is no longer there", async () => {
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
