import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
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
import { connectRedis, type RedisProcess, startRedis } from "../src/redis-server.ts";
import { removeFolder } from "../src/remove-folder.ts";
import { taskIn } from "./task-in.ts";

/** The time within which a loss is reported, in milliseconds. */
const SOON_MS = 10_000;

const script = new URL("./chaos-instance.mjs", import.meta.url).pathname;
const lost = { id: 1, error: { code: -32_603 } };

let redis: RedisProcess;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idewire-killed-"));
  redis = await startRedis();
});
afterAll(async () => {
  await redis.close();
  await removeFolder(folder);
});

interface KilledInstance {
  readonly send: Send;
  kill(): Promise<void>;
}

async function start(runs: string): Promise<KilledInstance> {
  const child: ChildProcess = spawn(process.execPath, [script, redis.path, runs], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (child.stdout === null) throw new Error("no output");
  const [url] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const exited = once(child, "exit");
  return {
    send: (init) => fetch(url, init),
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** Two instances, the first to be killed; `ran` returns the handlers that have run. */
async function open(name: string) {
  const file = join(folder, name);
  const [one, two] = await Promise.all([start(file), start(file)]);
  const ran = async () => (await readFile(file, "utf8")).trim().split("\n");
  return { one, two, ran };
}

/** Kills an instance right after it has renewed its lease, so that it counts as alive for as long as possible. */
async function killAsLateAsCanBe(instance: KilledInstance, lease: string): Promise<number> {
  const client = await connectRedis(redis.path);
  const key = `idewire:lease:${lease}`;
  let leftMs = await client.pTTL(key);
  for (let now = leftMs; now <= leftMs + 20; now = await client.pTTL(key)) leftMs = now;
  await instance.kill();
  const killedMs = performance.now();
  client.destroy();
  return killedMs;
}

/** The lease of the instance that appends to the stream of an event. */
async function holderOf(session: Record<string, string>, eventId: string): Promise<string> {
  const client = await connectRedis(redis.path);
  const [name] = eventId.split("-");
  const info = await client.hGet(`idewire:events:${session["mcp-session-id"]}:${name}`, "info");
  client.destroy();
  return (JSON.parse(info ?? "{}") as { readonly holder: string }).holder;
}

async function begin(send: Send, session: Record<string, string>, name: string) {
  const message = calling(1, name, {}, { progressToken: "p" });
  const events = eventsOf(await send(posting(message, session)));
  let event: SeenEvent | undefined;
  while (event?.data === undefined) event = (await events.next()).value as SeenEvent;
  return { events, id: event.id ?? "" };
}

test.concurrent("the call of a killed instance is reported as lost by another, once", async () => {
  const { one, two, ran } = await open("call");
  const session = await openSession(one.send);
  const { events, id } = await begin(one.send, session, "call");
  const twice = await two.send(posting(calling(1, "echo"), session));
  expect(twice.status).toBe(400);
  const killedMs = await killAsLateAsCanBe(one, await holderOf(session, id));
  await expect(nextMessage(events)).rejects.toThrow();
  const resume = async () => eventsOf(await two.send(getting({ ...session, "last-event-id": id })));
  const resumed = await resume();
  expect(await nextMessage(resumed)).toMatchObject(lost);
  expect(await nextMessage(resumed)).toBeUndefined();
  expect(performance.now() - killedMs).toBeLessThan(SOON_MS);
  expect(await nextMessage(await resume())).toMatchObject(lost);
  expect((await two.send(posting(calling(1, "echo"), session))).status).toBe(200);
  expect(await ran()).toEqual(["call"]);
  await two.kill();
});

test.concurrent("an answer to the question of a killed instance is not accepted", async () => {
  const { one, two, ran } = await open("question");
  const session = await openSession(two.send, { capabilities: { elicitation: {} } });
  const { events, id } = await begin(one.send, session, "question");
  const question = (await nextMessage(events)) as { readonly id: number };
  await one.kill();
  const result = { action: "decline" };
  const refused = await two.send(posting({ jsonrpc: "2.0", id: question.id, result }, session));
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  const resumed = eventsOf(await two.send(getting({ ...session, "last-event-id": id })));
  expect(await nextMessage(resumed)).toMatchObject({ method: "elicitation/create" });
  expect(await nextMessage(resumed)).toMatchObject(lost);
  expect(await ran()).toEqual(["question"]);
  await two.kill();
});

test.concurrent("the task of a killed instance fails, and its listeners are notified", async () => {
  const { one, two, ran } = await open("task");
  const able = { extensions: { "io.modelcontextprotocol/tasks": {} } };
  const params = { name: "task", arguments: {} };
  const call = modernRequest(1, "tools/call", params, undefined, able);
  const { taskId = "" } = await taskIn(await one.send(postingModern(call)));
  const notifications = { taskIds: [taskId] };
  const listen = modernRequest("l", "subscriptions/listen", { notifications }, undefined, able);
  const received = eventsOf(await two.send(postingModern(listen)));
  expect(await nextMessage(received)).toMatchObject({ params: { notifications } });
  const killedMs = await killAsLateAsCanBe(one, taskId);
  const failed = { method: "notifications/tasks", params: { taskId, status: "failed" } };
  expect(await nextMessage(received)).toMatchObject(failed);
  expect(performance.now() - killedMs).toBeLessThan(SOON_MS);
  const get = modernRequest(2, "tasks/get", { taskId }, undefined, able);
  const failedTask = await taskIn(await two.send(postingModern(get, { "mcp-name": taskId })));
  expect(failedTask.status).toBe("failed");
  expect(await ran()).toEqual(["task"]);
  await received.return(undefined);
  await two.kill();
});
