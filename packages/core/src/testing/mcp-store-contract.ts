import type { StoredTask } from "../mcp/server/tasks/task.ts";
import { type ContractRunner, createContract, until } from "./contract-runner.ts";
import { eventLaws } from "./event-store-laws.ts";
import { sessionLaws } from "./session-store-laws.ts";
import {
  hardIds,
  LONG_MS,
  SHORT_MS,
  type StoreContract,
  type StoreUnderTest,
} from "./store-under-test.ts";

/**
 * The laws of `McpStore` as tests.
 * @param medium.make opens an empty store
 */
export function mcpStoreContract(
  runner: ContractRunner,
  medium: { readonly name: string; readonly make: () => StoreUnderTest | Promise<StoreUnderTest> },
): void {
  const contract = createContract<StoreUnderTest>(runner, {
    ...medium,
    dispose: (subject) => subject.dispose?.(),
  });
  recordLaws(contract);
  sessionLaws(contract);
  leaseLaws(contract);
  replayLaws(contract);
  eventLaws(contract);
  busLaws(contract);
}

function taskOf(principal: string): StoredTask {
  const at = "2026-01-01T00:00:00.000Z";
  const times = { createdAt: at, lastUpdatedAt: at, ttlMs: null, pollIntervalMs: 1000 };
  const call = { method: "tools/call", name: "slow" };
  return { task: { taskId: "t", status: "working", ...times }, call, principal };
}

function recordLaws({ law, expect }: StoreContract): void {
  law("a record is there for all, for its time", async (store) => {
    const { tasks } = store.one;
    expect(await store.two.tasks.get("a")).toBe(undefined);
    await tasks.set("a", taskOf("ann"), LONG_MS);
    await tasks.set("b", taskOf("bob"), SHORT_MS);
    await tasks.set("c", taskOf("cid"));
    expect(await store.two.tasks.get("b")).toEqual(taskOf("bob"));
    await store.pass(SHORT_MS + 50);
    const left = await Promise.all(["a", "b", "c"].map((id) => store.two.tasks.get(id)));
    expect(left).toEqual([taskOf("ann"), undefined, taskOf("cid")]);
  });

  law("a record is deleted once, and kinds of records are separate", async (store) => {
    await store.one.tasks.set("a", taskOf("ann"), LONG_MS);
    expect(await store.two.sessions.get("a")).toBe(undefined);
    expect([await store.two.tasks.delete("a"), await store.one.tasks.delete("a")]).toEqual([
      true,
      false,
    ]);
    expect(await store.one.tasks.get("a")).toBe(undefined);
  });

  law("a stored value does not change for its holders, whatever its id is", async (store) => {
    for (const id of hardIds) {
      await store.one.tasks.set(id, taskOf("ann"), LONG_MS);
      const first = await store.one.tasks.get(id);
      expect(first).toEqual(taskOf("ann"));
      (first as { principal: string }).principal = "bob";
      expect(await store.one.tasks.get(id)).toEqual(taskOf("ann"));
    }
  });

  law("of many that replace a record at once, one does", async ({ one, two }) => {
    const before = taskOf("ann");
    await one.tasks.set("a", before, LONG_MS);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? one : two).tasks.replace("a", before, taskOf(`${index}`)),
      ),
    );
    const winners = outcomes.flatMap((isDone, index) => (isDone ? [`${index}`] : []));
    expect(winners.length).toBe(1);
    expect((await one.tasks.get("a"))?.principal).toBe(winners[0]);
    expect(await one.tasks.replace("b", before, before, LONG_MS)).toBe(false);
    expect(await one.tasks.get("b")).toBe(undefined);
  });
}

function leaseLaws({ law, expect }: StoreContract): void {
  law("a lease ends unless it is renewed", async ({ one, two, pass }) => {
    expect(await two.leases.isHeld("a")).toBe(false);
    await one.leases.renew("a", SHORT_MS);
    await one.leases.renew("b", SHORT_MS);
    await one.leases.renew("b", LONG_MS);
    expect(await two.leases.isHeld("a")).toBe(true);
    await pass(SHORT_MS + 50);
    expect([await two.leases.isHeld("a"), await two.leases.isHeld("b")]).toEqual([false, true]);
    await two.leases.end("b");
    expect(await one.leases.isHeld("b")).toBe(false);
  });
}

function replayLaws({ law, expect }: StoreContract): void {
  law("an id is seen once by all for as long as it is remembered", async ({ one, two, pass }) => {
    const at = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? one : two));
    const first = await Promise.all(at.map(({ replays }) => replays.seen("a", SHORT_MS)));
    expect(first.filter((isSeen) => !isSeen).length).toBe(1);
    expect(await two.replays.seen("b", LONG_MS)).toBe(false);
    await pass(SHORT_MS + 50);
    const again = [await two.replays.seen("a", LONG_MS), await one.replays.seen("b", LONG_MS)];
    expect(again).toEqual([false, true]);
  });
}

function busLaws({ law, expect }: StoreContract): void {
  law("a message reaches those that listen to its topic, until they stop", async ({ one, two }) => {
    const received: string[] = [];
    const stop = await one.bus.subscribe("a", (message) => received.push(`1 ${message}`));
    await two.bus.subscribe("a", (message) => received.push(`2 ${message}`));
    await two.bus.subscribe("b", (message) => received.push(`b ${message}`));
    await one.bus.publish("a", "x");
    await until(() => received.length === 2);
    await stop();
    await one.bus.publish("a", "é\n");
    await one.bus.publish("nobody", "z");
    await until(() => received.length === 3);
    expect([...received].sort()).toEqual(["1 x", "2 x", "2 é\n"]);
  });
}
