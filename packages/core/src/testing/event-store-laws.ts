import type { EventStore, StoredEvent } from "../mcp/server/store.ts";
import { until } from "./contract-runner.ts";
import { LONG_MS, SHORT_MS, type StoreContract } from "./store-under-test.ts";

/** The laws of the streams of events. */
export function eventLaws(contract: StoreContract): void {
  streamLaws(contract);
  boundLaws(contract);
}

/** Follows a stream; `received` shows the frames by their numbers. */
async function listen(events: EventStore, stream: string, after = 0) {
  const arrived: StoredEvent[] = [];
  let losses = 0;
  const followed = await events.follow(stream, after, {
    onevent: (event) => void arrived.push(event),
    onlost: () => {
      losses += 1;
    },
  });
  const received = () =>
    arrived.map(({ number, frame, ends }) => `${number} ${frame}${ends ? "." : ""}`);
  return { followed, received, losses: () => losses };
}

function streamLaws({ law, expect }: StoreContract): void {
  law(
    "a listener gets the events of a stream from any number on, in order",
    async ({ one, two }) => {
      expect((await listen(one.events, "s")).followed).toBe(undefined);
      await one.events.open("s", { holder: "h", ids: ["a", 1] }, LONG_MS);
      const early = await listen(two.events, "s");
      expect(early.followed?.info).toEqual({ holder: "h", ids: ["a", 1] });
      const frames = ["", '{"a":"é\\n"}', "c"];
      for (const frame of frames) await one.events.append("s", { frame }, LONG_MS);
      const late = await listen(two.events, "s", 2);
      expect(late.received()).toEqual(["3 c"]);
      expect(await two.events.append("s", { frame: "d", ends: true }, LONG_MS)).toBe(4);
      await until(() => early.received().length === 4 && late.received().length === 2);
      expect(early.received()).toEqual(["1 ", '2 {"a":"é\\n"}', "3 c", "4 d."]);
      expect(late.received()).toEqual(["3 c", "4 d."]);
      expect((await listen(one.events, "s", 4)).received()).toEqual([]);
      expect((await listen(one.events, "s", 5)).followed).toBe(undefined);
    },
  );

  law("each of many appended at once has a number of its own", async ({ one, two }) => {
    await one.events.open("s", { ids: [] }, LONG_MS);
    const { received } = await listen(two.events, "s");
    const numbers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 === 0 ? one : two).events.append("s", { frame: "x" }, LONG_MS),
      ),
    );
    const all = Array.from({ length: 50 }, (_, index) => index + 1);
    expect([...numbers].sort((a, b) => (a ?? 0) - (b ?? 0))).toEqual(all);
    await until(() => received().length >= 50);
    expect(received()).toEqual(all.map((number) => `${number} x`));
  });

  law("a listener that has stopped gets no further events", async ({ one, two }) => {
    await one.events.open("s", { ids: [] }, LONG_MS);
    const first = await listen(two.events, "s");
    const second = await listen(two.events, "s");
    first.followed?.stop();
    first.followed?.stop();
    await one.events.append("s", { frame: "a" }, LONG_MS);
    await until(() => second.received().length === 1);
    expect(first.received()).toEqual([]);
  });

  law(
    "a stream takes nothing before it is open, after its end, and once it is forgotten",
    async (store) => {
      const { events } = store.one;
      const append = (stream: string, ends = false) =>
        events.append(stream, { frame: "x", ends }, LONG_MS);
      expect(await append("s")).toBe(undefined);
      await events.open("s", { ids: [] }, LONG_MS);
      expect([await append("s", true), await append("s")]).toEqual([1, undefined]);
      await events.open("t", { ids: [] }, LONG_MS);
      await append("t");
      await events.open("t", { ids: [7] }, LONG_MS);
      expect((await listen(store.two.events, "t")).followed?.info).toEqual({ ids: [] });
      expect(await append("t")).toBe(2);
      const follower = await listen(store.one.events, "t");
      await store.two.events.delete("t");
      await until(() => follower.losses() === 1);
      expect(await append("t")).toBe(undefined);
    },
  );
}

function boundLaws({ law, expect }: StoreContract): void {
  law("a stream ends its life with its time, which each event renews", async (store) => {
    const { events } = store.one;
    for (const stream of ["s", "t"]) await events.open(stream, { ids: [] }, SHORT_MS);
    await events.append("t", { frame: "x" }, LONG_MS);
    await store.pass(SHORT_MS + 50);
    const isThere = async (stream: string) =>
      (await listen(store.two.events, stream)).followed !== undefined;
    expect([await isThere("s"), await isThere("t")]).toEqual([false, true]);
  });

  law("a long stream keeps its newest events, and reports a gap", async ({ one }) => {
    const { events } = one;
    await events.open("s", { ids: [] }, LONG_MS);
    const frame = "x".repeat(100_000);
    for (let n = 0; n < 30; n += 1) await events.append("s", { frame }, LONG_MS);
    expect((await listen(events, "s", 1)).followed).toBe(undefined);
    expect((await listen(events, "s", 25)).received().length).toBe(5);
    for (let n = 0; n < 1000; n += 1) await events.append("s", { frame: "y" }, LONG_MS);
    expect((await listen(events, "s", 100)).followed).toBe(undefined);
    expect((await listen(events, "s", 1000)).received().length).toBe(30);
    await events.append("s", { frame: "z".repeat(3 << 20) }, LONG_MS);
    expect((await listen(events, "s", 1030)).received().length).toBe(1);
  });

  law(
    "a listener that is behind a gap gets all that is kept, and where it begins",
    async (store) => {
      const { events } = store.one;
      await events.open("s", { ids: [] }, LONG_MS);
      for (let n = 0; n < 300; n += 1) await events.append("s", { frame: "y" }, LONG_MS);
      const numbers: number[] = [];
      const onevent = ({ number }: StoredEvent) => void numbers.push(number);
      const listener = { onevent, onlost: () => undefined };
      const followed = await store.two.events.follow("s", undefined, listener);
      expect([followed?.after, numbers[0], numbers.at(-1)]).toEqual([44, 45, 300]);
      await events.append("s", { frame: "z" }, LONG_MS);
      await until(() => numbers.at(-1) === 301);
      expect(await events.follow("t", undefined, listener)).toBe(undefined);
    },
  );

  law("the streams of a session keep what one stream may, those of the newest", async (store) => {
    const { events } = store.one;
    const info = { ids: [], principal: "ann" };
    const frame = "x".repeat(300_000);
    const names = Array.from({ length: 8 }, (_, index) => `a:${index}`);
    for (const name of ["b:g", ...names]) {
      await events.open(name, info, LONG_MS);
      await events.append(name, { frame }, LONG_MS);
    }
    const kept = await Promise.all(
      names.map(async (name) => (await listen(store.two.events, name)).received().length),
    );
    expect(kept).toEqual([0, 0, 0, 0, 0, 1, 1, 1]);
    expect((await listen(store.two.events, "b:g")).received().length).toBe(1);
    // Lost events are a gap; the stream continues.
    expect(await events.append("a:0", { frame: "y" }, LONG_MS)).toBe(2);
    expect((await listen(events, "a:0", 1)).received()).toEqual(["2 y"]);
  });

  law("streams count by their number, however short their events are", async ({ one, two }) => {
    for (let n = 0; n < 600; n += 1) {
      await one.events.open(`few:${n}`, { ids: [], principal: "ann" }, LONG_MS);
      await one.events.append(`few:${n}`, { frame: "y", ends: true }, LONG_MS);
    }
    const few = [0, 99, 200, 599].map((n) => listen(two.events, `few:${n}`));
    const kept = (await Promise.all(few)).map((each) => each.received().length);
    expect(kept).toEqual([0, 0, 1, 1]);
  });

  law("the streams of one principal take no room from those of others", async (store) => {
    const { events } = store.one;
    const frame = "x".repeat(1_000_000);
    const fill = async (principal: string, name: string) => {
      await events.open(name, { ids: [], principal }, LONG_MS);
      await events.append(name, { frame, ends: true }, LONG_MS);
    };
    const isKept = async (name: string) =>
      (await listen(store.two.events, name)).received().length === 1;
    await fill("ann", "ann:1");
    for (let count = 0; count < 80; count += 1) await fill("mallory", `m${count}:1`);
    await fill("ann", "ann2:1");
    const kept = await Promise.all(["ann:1", "ann2:1", "m0:1", "m79:1"].map(isKept));
    expect(kept).toEqual([true, true, false, true]);
    for (let count = 0; count < 80; count += 1) await events.delete(`m${count}:1`);
  });
}
