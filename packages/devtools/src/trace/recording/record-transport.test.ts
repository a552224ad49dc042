import type { RequestTracker } from "@idewire/core/internal";
import { createMemoryTransportPair } from "@idewire/core/rpc";
import { settled } from "@idewire/core/testing";
import { expect, test } from "vitest";
import { EventLog } from "./event-log.ts";
import { recordTransport } from "./record-transport.ts";

test("a recorded transport has every member of the transport that it wraps", () => {
  const log = new EventLog();
  const [near] = createMemoryTransportPair();
  const below = Object.assign(near, { begun: () => "begun" });
  const recorded = recordTransport(below, { log, ch: "c1", sends: "agent>ide" });
  expect((recorded as typeof below).begun()).toBe("begun");
  expect("requests" in recorded).toBe(false);
});

test("frames through a recorded transport are logged, and pass unchanged", async () => {
  const log = new EventLog();
  const [near, far] = createMemoryTransportPair();
  const recorded = recordTransport(near, { log, ch: "c1", sends: "ide>agent" });
  const got: string[] = [];
  far.onframe = (frame) => got.push(`far ${frame}`);
  recorded.onframe = (frame) => got.push(`near ${frame}`);
  recorded.onclose = ({ code }) => got.push(`closed ${code}`);
  recorded.send("one");
  far.send("two");
  await settled();
  far.close(1001, "gone");
  await settled();
  expect(got).toEqual(["far one", "near two", "closed 1001"]);
  expect(log.events.map(({ n: _, t: __, ...fact }) => fact)).toEqual([
    { ev: "open", ch: "c1" },
    { ev: "frame", ch: "c1", dir: "ide>agent", raw: "one" },
    { ev: "frame", ch: "c1", dir: "agent>ide", raw: "two" },
    { ev: "close", ch: "c1", code: 1001, reason: "gone" },
  ]);
});

test("a request that the transport fails is logged with the reason, unless it is answered", () => {
  const log = new EventLog();
  const [near] = createMemoryTransportPair();
  const below: typeof near & { requests: RequestTracker | undefined } = Object.assign(near, {
    requests: undefined,
  });
  const recorded = recordTransport(below, { log, ch: "c1", sends: "agent>ide" });
  const seen: unknown[] = [];
  recorded.requests = {
    awaits: (id) => id === 1,
    fail: (id, error) => seen.push([id, error.message]),
    hold: (id, isHeld) => seen.push([id, isHeld]),
  };
  below.requests?.hold?.(1, true);
  below.requests?.fail(2, new Error("late"));
  below.requests?.fail(1, new Error("refused"));
  expect(seen).toEqual([
    [1, true],
    [2, "late"],
    [1, "refused"],
  ]);
  expect(log.events.slice(1)).toMatchObject([
    { ev: "failed", ch: "c1", dir: "agent>ide", id: 1, reason: "refused" },
  ]);
});
