import { describe, expect, onTestFinished, test } from "vitest";
import {
  calling,
  eventsOf,
  getting,
  modernRequest,
  nextMessage,
  openSession,
  posting,
  postingModern,
  type SeenEvent,
  type Send,
} from "../src/http-client.ts";
import { type RedisProcess, startRedis } from "../src/redis-server.ts";
import { openInstance, Runs } from "./open-instances.ts";
import { openNetwork } from "./open-network.ts";
import { taskIn } from "./task-in.ts";

const able = { elicitation: {} };
const tasking = { extensions: { "io.modelcontextprotocol/tasks": {} } };

async function open() {
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  const runs = new Runs();
  const one = await openInstance(redis.path, runs);
  const two = await openInstance(redis.path, runs);
  return { redis, runs, one, two };
}

/** Calls a tool that reports progress; resolves after the first report to the other events and its id. */
async function begin(
  send: Send,
  session: Record<string, string>,
  name: string,
  signal?: AbortSignal,
) {
  const message = calling(1, name, { key: "k" }, { progressToken: "p" });
  const events = eventsOf(await send(posting(message, session, signal)));
  let event: SeenEvent | undefined;
  while (event?.data === undefined) event = (await events.next()).value as SeenEvent;
  return { events, id: event.id ?? "" };
}

const answering = (question: unknown) => ({
  jsonrpc: "2.0",
  id: (question as { readonly id: number }).id,
  result: { action: "accept", content: { name: "Ann" } },
});

/** The status of a POST, and its `retry-after`. */
async function post(send: Send, message: unknown, headers: Record<string, string>) {
  const response = await send(posting(message, headers));
  await response.text();
  return [response.status, response.headers.get("retry-after")];
}

test("a client disconnected during a call is answered by another instance, once", async () => {
  const { runs, one, two } = await open();
  const session = await openSession(one.send);
  const cut = new AbortController();
  const { id } = await begin(one.send, session, "wait", cut.signal);
  cut.abort();
  const resumed = eventsOf(await two.send(getting({ ...session, "last-event-id": id })));
  runs.finish("k");
  expect(await nextMessage(resumed)).toMatchObject({ id: 1, result: {} });
  expect(await nextMessage(resumed)).toBeUndefined();
  expect(runs.begun).toEqual(["k"]);
});

test("a client disconnected during a question finds it at another instance, and answers it there", async () => {
  const { runs, one, two } = await open();
  const session = await openSession(one.send, { capabilities: able });
  const cut = new AbortController();
  const { id } = await begin(one.send, session, "ask", cut.signal);
  cut.abort();
  const resumed = eventsOf(await two.send(getting({ ...session, "last-event-id": id })));
  const question = await nextMessage(resumed);
  expect(await post(two.send, answering(question), session)).toEqual([202, null]);
  expect(await nextMessage(resumed)).toMatchObject({ id: 1, result: {} });
  expect(runs.begun).toEqual(["k"]);
});

test("the call of an instance cut off from the store is reported as lost, and never answered after that", async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  const network = await openNetwork(redis.path);
  const runs = new Runs();
  const one = await openInstance(network.path, runs);
  const two = await openInstance(redis.path, runs);
  const session = await openSession(two.send);
  const cut = new AbortController();
  const { id } = await begin(one.send, session, "wait", cut.signal);
  network.cut();
  cut.abort();
  const resume = async () => eventsOf(await two.send(getting({ ...session, "last-event-id": id })));
  const lost = { id: 1, error: { code: -32_603 } };
  expect(await nextMessage(await resume())).toMatchObject(lost);
  network.mend();
  runs.finish("k");
  await expect
    .poll(() => post(one.send, calling(9, "echo", { key: "back" }), session))
    .toEqual([200, null]);
  const again = await resume();
  expect(await nextMessage(again)).toMatchObject(lost);
  expect(await nextMessage(again)).toBeUndefined();
  expect(runs.begun).toEqual(["k", "back"]);
});

describe.each<[string, (redis: RedisProcess) => unknown, (redis: RedisProcess) => unknown]>([
  ["is killed", (redis) => redis.kill(), (redis) => redis.start()],
  ["hangs", (redis) => redis.signal("SIGSTOP"), (redis) => redis.signal("SIGCONT")],
])("when the store %s", (_, fail, mend) => {
  /** Retries a call until the store is available again. */
  const untilServed = (send: Send, session: Record<string, string>) =>
    expect
      .poll(() => post(send, calling(9, "echo", { key: "back" }), session))
      .toEqual([200, null]);

  test("a call is refused with 503 before it runs, and the next ones run when it is back", async () => {
    const { redis, runs, one, two } = await open();
    const session = await openSession(one.send);
    await fail(redis);
    for (const { send } of [one, two]) {
      const refused = await send(posting(calling(1, "echo", { key: "k" }), session));
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
      expect(await refused.json()).toMatchObject({ id: 1, error: { code: -32_600 } });
      const opened = await send(getting(session));
      expect([opened.status, opened.headers.get("retry-after")]).toEqual([503, "1"]);
    }
    expect(runs.begun).toEqual([]);
    await mend(redis);
    await untilServed(one.send, session);
    await untilServed(two.send, session);
  });

  test("a call in progress is answered anyway", async () => {
    const { redis, runs, one, two } = await open();
    const session = await openSession(one.send);
    const { events } = await begin(one.send, session, "wait");
    await fail(redis);
    runs.finish("k");
    expect(await nextMessage(events)).toMatchObject({ id: 1, result: {} });
    expect(runs.begun).toEqual(["k"]);
    await mend(redis);
    await untilServed(two.send, session);
  });

  test("an answer to a question is refused, and accepted when it is back", async () => {
    const { redis, runs, one, two } = await open();
    const session = await openSession(one.send, { capabilities: able });
    const { events } = await begin(one.send, session, "ask");
    const question = await nextMessage(events);
    await fail(redis);
    expect(await post(two.send, answering(question), session)).toEqual([503, "1"]);
    await mend(redis);
    await expect.poll(() => post(two.send, answering(question), session)).toEqual([202, null]);
    expect(await nextMessage(events)).toMatchObject({ id: 1, result: {} });
    expect(runs.begun).toEqual(["k"]);
  });

  test("a task goes on, and its result is available when it is back", async () => {
    const { redis, runs, one, two } = await open();
    const params = { name: "task", arguments: { key: "k" } };
    const call = modernRequest(1, "tools/call", params, undefined, tasking);
    const { taskId = "" } = await taskIn(await one.send(postingModern(call)));
    await expect.poll(() => runs.begun).toEqual(["k"]);
    await fail(redis);
    const ask = async () => {
      const get = modernRequest(2, "tasks/get", { taskId }, undefined, tasking);
      const response = await two.send(postingModern(get, { "mcp-name": taskId }));
      return [response.status, (await taskIn(response)).status];
    };
    expect(await ask()).toEqual([503, undefined]);
    runs.finish("k");
    await mend(redis);
    await expect.poll(ask).toEqual([200, "completed"]);
    expect(runs.begun).toEqual(["k"]);
  });
});
