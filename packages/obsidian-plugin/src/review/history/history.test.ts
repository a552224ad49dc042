import type { PosixPath } from "@idewire/core";
import { IDBFactory } from "fake-indexeddb";
import { expect, test } from "vitest";
import { ReviewHistory } from "./history.ts";
import { outdated, type ReviewRecord } from "./record.ts";
import { openHistoryStore } from "./store.ts";

const DAY_MS = 86_400_000;
const texts = { before: "old", proposed: "new" };

function fixture({ days = 30, factory = new IDBFactory() } = {}) {
  const errors: unknown[] = [];
  const world = { nowMs: 1_000 * DAY_MS, days, factory, excluded: [] as string[] };
  const history = new ReviewHistory({
    openStore: () => openHistoryStore(world.factory, "vault"),
    nowMs: () => world.nowMs,
    days: () => world.days,
    isExcluded: (path) => world.excluded.includes(path),
    onerror: (error) => void errors.push(error),
  });
  return { world, history, errors };
}

function about(id: string) {
  return { id, path: `/v/${id}.md` as PosixPath, name: `${id}.md`, agent: "Claude Code" };
}

test("a review is kept with its proposal and its outcome", async () => {
  const { history } = fixture();
  history.begin(about("a"), texts);
  history.finish("a", "edited", "newer");
  expect(await history.find("a")).toEqual({
    record: { ...about("a"), openedMs: 1_000 * DAY_MS, outcome: "edited", size: 11 },
    texts: { ...texts, result: "newer" },
  });
});

test("a record of an earlier version, with fate in place of outcome, is read", async () => {
  const { history, world } = fixture();
  const store = await openHistoryStore(world.factory, "vault");
  const old = { ...about("a"), openedMs: 1, fate: "rejected", size: 0 };
  await store.put(old as unknown as ReviewRecord);
  expect((await history.find("a"))?.record.outcome).toBe("rejected");
});

test("the newest comes first", async () => {
  const { history, world } = fixture();
  for (const id of ["a", "b", "c"]) {
    history.begin(about(id), texts);
    world.nowMs += 1;
  }
  expect((await history.list()).map(({ id }) => id)).toEqual(["c", "b", "a"]);
});

test("a review that was pending when the app closed has expired after the restart, with all its texts", async () => {
  const first = fixture();
  first.history.begin(about("a"), { before: undefined, proposed: "new" });
  await first.history.close();
  const { history } = fixture({ factory: first.world.factory });
  history.expireAll();
  const found = await history.find("a");
  expect([found?.record.outcome, found?.texts?.proposed]).toEqual(["expired", "new"]);
});

test("a review whose texts may not be stored is stored with its name and outcome", async () => {
  const { history } = fixture();
  history.begin(about("a"));
  history.finish("a", "accepted", "secret");
  expect(await history.find("a")).toEqual({
    record: { ...about("a"), openedMs: 1_000 * DAY_MS, outcome: "accepted", size: 0 },
  });
});

test("texts of a note that is excluded later are dropped, those of others are not", async () => {
  const { history, world } = fixture();
  for (const id of ["a", "b", "waits"]) history.begin(about(id), texts);
  for (const id of ["a", "b"]) history.finish(id, "accepted", "new");
  world.excluded = ["/v/a.md", "/v/waits.md"];
  expect((await history.find("a"))?.texts).toBeUndefined();
  history.dropExcluded();
  history.finish("waits", "rejected", "new");
  await history.list();
  world.excluded = [];
  const kept = await Promise.all(["a", "b", "waits"].map((id) => history.find(id)));
  expect(kept.map((each) => each?.texts?.proposed)).toEqual([undefined, "new", undefined]);
  expect(kept.map((each) => each?.record.outcome)).toEqual(["accepted", "accepted", "rejected"]);
  expect(kept.map((each) => each?.record.size)).toEqual([0, 9, 0]);
});

test("turned off, it stores nothing, and deletes existing records at the next start", async () => {
  const { history, world } = fixture();
  history.begin(about("a"), texts);
  history.finish("a", "accepted", "new");
  world.days = 0;
  world.nowMs += 1;
  history.begin(about("b"), texts);
  history.expireAll();
  expect(await history.list()).toEqual([]);
});

test("clearing it keeps only pending reviews", async () => {
  const { history } = fixture();
  history.begin(about("a"), texts);
  history.begin(about("b"), texts);
  history.finish("a", "rejected", "new");
  history.clear();
  expect((await history.list()).map(({ id }) => id)).toEqual(["b"]);
  history.remove("b");
  expect(await history.list()).toEqual([]);
  expect(await history.find("b")).toBe(undefined);
});

test("a database that cannot be opened is reported once, and reviews continue", async () => {
  const { history, world, errors } = fixture();
  world.factory = {
    open: () => {
      throw new Error("no databases here");
    },
  } as unknown as IDBFactory;
  history.begin(about("a"), texts);
  history.finish("a", "accepted", "new");
  expect(await history.list()).toEqual([]);
  expect(errors.length).toBe(1);
});

function record(id: string, values: Partial<ReviewRecord> = {}): ReviewRecord {
  return { ...about(id), openedMs: 0, outcome: "accepted", size: 10, ...values };
}

test("old records are deleted, but never pending ones", () => {
  const records = [
    record("old"),
    record("waits", { outcome: "waiting" }),
    record("new", { openedMs: 9 * DAY_MS }),
  ];
  const bounds = { days: 5, records: 99, size: 999 };
  expect(outdated(records, bounds, 10 * DAY_MS)).toEqual(["old"]);
});

test("the oldest records are deleted beyond the limits of number and length", () => {
  const records = [1, 2, 3, 4].map((day) => record(`${day}`, { openedMs: day }));
  expect(outdated(records, { days: 5, records: 3, size: 999 }, 5)).toEqual(["1"]);
  expect(outdated(records, { days: 5, records: 99, size: 25 }, 5)).toEqual(["2", "1"]);
});
