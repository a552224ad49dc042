import { expect, test } from "vitest";
import { asObject } from "../../../rpc/message.ts";
import { openModern } from "../../../testing/modern-fixture.ts";
import { untilFound } from "../../../testing/raw-end.ts";
import { able, openTasks } from "../../../testing/tasks-fixture.ts";
import { McpServer } from "../server.ts";
import type { Task } from "./task.ts";
import { becomeTask, tasks } from "./tasks.ts";

/** Tasks of a server, each with a result of some Mi characters. */
function openLarge(megas: number) {
  return openTasks(
    async (call) => {
      await becomeTask(call);
      return "x".repeat(megas << 20);
    },
    { principal: "mallory" },
  );
}

test("the results of one principal's tasks replace its own oldest ones, and none of another's", async () => {
  const mallory = openLarge(15);
  const ann = mallory.join("ann");
  const { taskId } = await ann.begin();
  await ann.until(taskId, "completed");
  const begun = [];
  for (let count = 0; count < 6; count += 1) {
    const task = await mallory.begin();
    await mallory.until(task.taskId, "completed");
    begun.push(task.taskId);
  }
  const answers = [];
  for (const id of begun) answers.push(await mallory.call("tasks/get", { taskId: id }, able));
  expect(answers.map(({ error }) => asObject(error)["code"])).toEqual([
    ...[-32_602, -32_602, -32_602],
    ...[undefined, undefined, undefined],
  ]);
  expect((await ann.get(taskId)).status).toBe("completed");
});

test("a task whose result is too large to store fails", async () => {
  const { begin, until, problems } = openLarge(65);
  const { error } = await until((await begin()).taskId, "failed");
  expect(error?.message).toMatch(/^The result has \d+ characters: it is too large to be kept$/);
  expect(problems).toEqual([]);
});

test("a task whose result is not JSON fails, and its server is notified", async () => {
  const problems: Error[] = [];
  const onerror = (error: Error) => void problems.push(error);
  const options = { name: "s", version: "1", onerror, features: [tasks()] };
  const server = new McpServer<undefined>(options);
  server.tool("t", {}, async (_, call) => {
    await becomeTask(call);
    return { content: [], structuredContent: { large: 2n ** 64n } };
  });
  const client = openModern(server);
  const begun = await client.call("tools/call", { name: "t" }, able);
  const { taskId } = begun.result as { taskId: string };
  const get = async () => (await client.call("tasks/get", { taskId }, able)).result;
  await untilFound(async () => ((await get()) as Task).status === "failed" || undefined);
  expect(await get()).toMatchObject({ error: { message: "Internal error" } });
  expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining("BigInt")]);
});
