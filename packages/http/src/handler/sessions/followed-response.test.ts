import { memoryStore } from "@idewire/core/server";
import { expect, test } from "vitest";
import type { Responder } from "../responder.ts";
import { FollowedResponse } from "./followed-response.ts";

test("a response superseded while it begins ends, and leaves no listener", async () => {
  const store = memoryStore();
  await store.events.open("s:g", { ids: [] }, 60_000);
  let listening = 0;
  const events: typeof store.events = {
    open: (...args) => store.events.open(...args),
    append: (...args) => store.events.append(...args),
    delete: (stream) => store.events.delete(stream),
    async follow(...args) {
      const followed = await store.events.follow(...args);
      listening += 1;
      return (
        followed && {
          ...followed,
          stop() {
            listening -= 1;
            followed.stop();
          },
        }
      );
    },
  };
  const done: string[] = [];
  let ended = false;
  const responder: Responder = {
    get ended() {
      return ended;
    },
    bufferedAmount: 0,
    addHeaders: () => undefined,
    answer: (status) => {
      ended = true;
      done.push(`answer ${status}`);
    },
    refuse: () => void done.push("refuse"),
    begin: () => void done.push("begin"),
    write: () => void done.push("write"),
    end() {
      ended = true;
      done.push("end");
    },
    destroy: () => void done.push("destroy"),
    onClose: () => undefined,
    onWrite: () => undefined,
    onDrain: () => undefined,
  };
  let ends = 0;
  const response = new FollowedResponse({
    ...{ store: { events, leases: store.leases }, key: "s:g", name: "g", responder, headers: {} },
    keepAliveMs: 1000,
    onend: () => {
      ends += 1;
    },
  });
  const started = response.start(0);
  response.take({ session: "s", moved: { stream: "g", to: "another" } });
  expect(await started).toBe(true);
  expect([listening, ends, done]).toEqual([0, 1, ["begin", "end"]]);
});
