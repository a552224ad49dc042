import type { DiffOutcome, DiffRequest, PosixPath } from "@idewire/core";
import { beforeEach, expect, test } from "vitest";
import type { PendingDiff } from "./folder-host.ts";
import { PendingDiffs } from "./pending-diffs.ts";

interface Opened {
  readonly outcome: Promise<DiffOutcome>;
  readonly controller: AbortController;
  ready(): Promise<void>;
  fail(): Promise<void>;
}

let diffs: PendingDiffs;
let heard: string[];

beforeEach(() => {
  diffs = new PendingDiffs();
  heard = [];
  diffs.events.on("diffOpened", ({ request }) => void heard.push(`+${request.id}`));
  diffs.events.on("diffClosed", (id) => void heard.push(`-${id}`));
});

/** Opens a diff whose current text is read when the test says so. */
function open(id: string): Opened {
  const path = `/vault/${id}.md` as PosixPath;
  const request: DiffRequest = {
    id,
    session: "s1",
    path,
    oldPath: path,
    proposed: "new\n",
    title: id,
    outsideWorkspace: false,
  };
  const controller = new AbortController();
  const ends: ((failure?: Error) => void)[] = [];
  const prepared = new Promise<PendingDiff>((resolve, reject) => {
    ends.push((failure) => (failure ? reject(failure) : resolve({ request, current: "old\n" })));
  });
  const end = (failure?: Error) => {
    ends[0]?.(failure);
    return settled();
  };
  const outcome = diffs.open(request, controller.signal, () => prepared);
  outcome.catch(() => undefined);
  return {
    outcome,
    controller,
    ready: () => end(),
    fail: () => end(new Error("no text")),
  };
}

/** After all that is to be done at once. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test("diffs are shown in the order of arrival, whichever is prepared first", async () => {
  const [one, two, three] = [open("1"), open("2"), open("3")];
  await three.ready();
  await two.ready();
  expect(diffs.shown).toEqual([]);
  expect(diffs.answer("2", { kind: "rejected" }, "page")).toBe(false);
  await one.ready();
  expect(heard).toEqual(["+1", "+2", "+3"]);
  expect(diffs.shown.map(({ request }) => request.id)).toEqual(["1", "2", "3"]);
});

test.each([
  ["fails", ({ fail }: Opened) => fail()],
  ["is aborted", ({ controller }: Opened) => controller.abort()],
  ["is closed", () => diffs.close("1", "asked")],
])("one that %s before it is shown does not block the later ones", async (_how, end) => {
  const one = open("1");
  await open("2").ready();
  expect(heard).toEqual([]);
  await end(one);
  await settled();
  expect(heard).toEqual(["+2"]);
});

test("those that end together with the one before are never shown", async () => {
  const [one, two, three] = [open("1"), open("2"), open("3")];
  await two.ready();
  await three.ready();
  for (const { controller } of [one, two]) controller.abort();
  await settled();
  expect(heard).toEqual(["+3"]);
});

test("the end of all shows none", async () => {
  open("1");
  await open("2").ready();
  diffs.closeAll();
  await settled();
  expect(heard).toEqual([]);
});

test("one that fails after its end leaves the next of its id alone", async () => {
  const before = open("1");
  before.controller.abort();
  const after = open("1");
  await before.fail();
  await after.ready();
  expect(heard).toEqual(["+1"]);
  expect(diffs.close("1", "asked")).toEqual({ alreadyClosed: false });
  expect(await after.outcome).toEqual({ kind: "cancelled" });
});
