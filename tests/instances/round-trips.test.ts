import { expect, onTestFinished, test } from "vitest";
import {
  calling,
  eventsOf,
  getting,
  modernRequest,
  nextMessage,
  openSession,
  posting,
  postingModern,
  request,
} from "../src/http-client.ts";
import { startRedis } from "../src/redis-server.ts";
import { openInstance, Runs } from "./open-instances.ts";

async function open() {
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  const runs = new Runs();
  return [await openInstance(redis.path, runs), await openInstance(redis.path, runs)] as const;
}

/** The commands that an instance sends to Redis for a request, without the renewal of its lease. */
async function commandsOf(
  { commands }: { readonly commands: string[] },
  act: () => Promise<Response>,
) {
  commands.length = 0;
  const response = await act();
  await response.text();
  expect(response.status).toBe(200);
  return commands.flatMap((command) => {
    return command.includes("lease:instance:") && command.startsWith("SET")
      ? []
      : [command.split(" ", 1)[0]];
  });
}

test("a call waits for one command of Redis, and sends one more, awaited only if it changes the session; none in the modern era", async () => {
  const [one] = await open();
  const session = await openSession(one.send);
  const echo = () => one.send(posting(calling(1, "echo", { key: "a" }), session));
  expect(await commandsOf(one, echo)).toEqual(["EVAL", "HDEL"]);
  const subscribe = () =>
    one.send(posting(request(2, "resources/subscribe", { uri: "test://a" }), session));
  expect(await commandsOf(one, subscribe)).toEqual(["EVAL", "EVAL"]);
  const params = { name: "echo", arguments: { key: "a" } };
  const modern = () => one.send(postingModern(modernRequest(3, "tools/call", params)));
  expect(await commandsOf(one, modern)).toEqual([]);
});

test("a change reaches clients of both eras across instances of Redis", async () => {
  const [one, two] = await open();
  const session = await openSession(one.send);
  const legacy = eventsOf(await one.send(getting(session)));
  const filter = { notifications: { resourcesListChanged: true } };
  const listen = postingModern(modernRequest("l", "subscriptions/listen", filter));
  const modern = eventsOf(await one.send(listen));
  expect(await nextMessage(modern)).toMatchObject({
    method: "notifications/subscriptions/acknowledged",
  });
  two.server.resourceListChanged();
  const changed = { method: "notifications/resources/list_changed" };
  expect(await nextMessage(legacy)).toMatchObject(changed);
  expect(await nextMessage(modern)).toMatchObject(changed);
  await Promise.all([legacy.return(undefined), modern.return(undefined)]);
});
