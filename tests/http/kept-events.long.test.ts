import { McpServer } from "@idewire/core/server";
import type { RequestHead } from "@idewire/http";
import { expect, onTestFinished, test } from "vitest";
import {
  calling,
  carriers,
  eventsOf,
  getting,
  nextMessage,
  openSession,
  posting,
} from "../src/http-client.ts";

const MIB = 1 << 20;

test("the events kept for resumption are bounded, and one client's do not displace those of others", async () => {
  const server = new McpServer<unknown>({ name: "s", version: "1" });
  const text = "x".repeat(1_000_000);
  server.tool("large", {}, (_, call) => {
    // Opens a stream, whose events are stored.
    call.log("info", "begun");
    return `${text}${Math.random()}`;
  });
  const { send, close } = await (carriers["handler"] as NonNullable<(typeof carriers)[string]>)({
    server,
    authorize: (head: RequestHead) => ({
      context: undefined,
      principal: head.header("x-name") ?? "",
    }),
  });
  onTestFinished(close);
  const openAs = (name: string) => openSession(send, { headers: { "x-name": name } });
  const call = async (session: Readonly<Record<string, string>>) => {
    const events = eventsOf(await send(posting(calling(1, "large"), session)));
    const { value } = await events.next();
    for await (const _ of events);
    return { ...session, "last-event-id": String(value?.id) };
  };
  const ann = await call(await openAs("ann"));
  const before = process.memoryUsage().rss;
  const first = await call(await openAs("mallory"));
  let mallory = first;
  for (let count = 0; count < 200; count += 1) mallory = await call(await openAs("mallory"));
  expect(process.memoryUsage().rss - before).toBeLessThan(400 * MIB);
  expect((await send(getting(first))).status).toBe(400);
  for (const place of [ann, mallory]) {
    const rest = eventsOf(await send(getting(place)));
    let last: unknown;
    for (let each = await nextMessage(rest); each !== undefined; each = await nextMessage(rest)) {
      last = each;
    }
    expect(last).toMatchObject({ id: 1 });
  }
});
