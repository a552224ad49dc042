import { beforeEach, expect, test, vi } from "vitest";
import { IdewireError, ToolFailure } from "../../errors.ts";
import { posixPath } from "../../testing/posix-path.ts";
import { sampleDiff } from "../../testing/sample-values.ts";
import type { CloseDiffReason, DiffOutcome, DiffRequest } from "../editor-host.ts";
import { PendingDiffs, type PendingDiffsOptions, type ShownDiff } from "./pending-diffs.ts";

type Options = PendingDiffsOptions<ShownDiff>;

interface Opened {
  readonly outcome: Promise<DiffOutcome>;
  readonly controller: AbortController;
  ready(): Promise<void>;
  fail(): Promise<void>;
}

let seen: string[];

beforeEach(() => {
  seen = [];
});

function listenTo(diffs: PendingDiffs<ShownDiff>): PendingDiffs<ShownDiff> {
  diffs.events.on("diffOpened", ({ request }) => void seen.push(`+${request.id}`));
  diffs.events.on("diffClosed", ({ request }, { kind }, by) => {
    seen.push(`-${request.id} ${kind} ${by}`);
  });
  return diffs;
}

/** Diffs that are prepared at once. */
function atOnce(options: Partial<Options> = {}): PendingDiffs<ShownDiff> {
  return listenTo(new PendingDiffs({ prepare: (request) => ({ request }), ...options }));
}

/** Diffs whose preparation ends on demand. */
function later(): { diffs: PendingDiffs<ShownDiff>; open: (id: string) => Opened } {
  const ends: ((failure?: Error) => void)[] = [];
  const prepare = (request: DiffRequest) =>
    new Promise<ShownDiff>((resolve, reject) => {
      ends.push((failure) => (failure ? reject(failure) : resolve({ request })));
    });
  const diffs = listenTo(new PendingDiffs({ prepare }));
  const open = (id: string): Opened => {
    const controller = new AbortController();
    const outcome = diffs.open(requestOf(id), controller.signal);
    outcome.catch(() => undefined);
    const end = ends.at(-1);
    const finish = (failure?: Error) => {
      end?.(failure);
      return settled();
    };
    return {
      outcome,
      controller,
      ready: () => finish(),
      fail: () => finish(new Error("no text")),
    };
  };
  return { diffs, open };
}

function requestOf(id: string): DiffRequest {
  return sampleDiff({ id, path: posixPath(`/vault/${id}.md`) });
}

function open(diffs: PendingDiffs<ShownDiff>, id: string): Promise<DiffOutcome> {
  return diffs.open(requestOf(id), new AbortController().signal);
}

const idsOf = (diffs: PendingDiffs<ShownDiff>) => diffs.shown.map(({ request }) => request.id);

/** Waits for everything that is done without delay. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

test("a synchronously prepared diff is shown synchronously, and its end is emitted synchronously", async () => {
  const diffs = atOnce();
  const outcome = open(diffs, "1");
  expect(seen).toEqual(["+1"]);
  expect(diffs.answer("1", { kind: "rejected" }, "page")).toBe(true);
  expect(seen).toEqual(["+1", "-1 rejected page"]);
  expect(await outcome).toEqual({ kind: "rejected" });
  expect(diffs.answer("1", { kind: "rejected" }, "page")).toBe(false);
});

test("an answer takes one microtask to its caller: simulations fix the order of frames", async () => {
  const diffs = atOnce();
  const order: string[] = [];
  void open(diffs, "1").then(() => order.push("answered"));
  diffs.answer("1", { kind: "closed" }, "editor");
  void Promise.resolve().then(() => order.push("next"));
  await settled();
  expect(order).toEqual(["answered", "next"]);
});

test("a diff can be answered in the event of its opening", async () => {
  const diffs = atOnce();
  diffs.events.on("diffOpened", ({ request }) => {
    diffs.answer(request.id, { kind: "accepted", text: "mine\n" }, "script");
  });
  expect(await open(diffs, "1")).toEqual({ kind: "accepted", text: "mine\n", edited: true });
  expect(diffs.shown).toEqual([]);
});

test("accepting the proposed text is not an edit", async () => {
  const diffs = atOnce();
  const outcome = open(diffs, "1");
  diffs.answer("1", { kind: "accepted", text: "new\n" }, "terminal");
  expect(await outcome).toEqual({ kind: "accepted", text: "new\n", edited: false });
});

test("a diff that is aborted before it opens is neither prepared nor shown", async () => {
  const prepare = vi.fn((request: DiffRequest) => ({ request }));
  const diffs = atOnce({ prepare });
  const signal = AbortSignal.abort();
  expect(await diffs.open(requestOf("1"), signal)).toEqual({ kind: "cancelled" });
  expect(prepare).not.toHaveBeenCalled();
  expect(seen).toEqual([]);
});

test.each<[why: CloseDiffReason, reason: unknown]>([
  ["session-gone", "session-gone"],
  ["answered-elsewhere", "answered-elsewhere"],
  ["session-gone", new IdewireError("closed", "the connection has closed")],
  ["asked", undefined],
])("an aborted diff is closed with the reason of the signal: %s", async (why, reason) => {
  const diffs = atOnce();
  const controller = new AbortController();
  const outcome = diffs.open(requestOf("1"), controller.signal);
  controller.abort(reason);
  expect(seen).toEqual(["+1", `-1 cancelled ${why}`]);
  expect(await outcome).toEqual({ kind: "cancelled" });
  expect(diffs.close("1", "asked")).toEqual({ alreadyClosed: true });
});

test("closing a diff returns the text so far, if the editor has one", async () => {
  const plain = atOnce();
  void open(plain, "1");
  expect(plain.close("1", "asked")).toEqual({ alreadyClosed: false });
  const knowing = atOnce({ textOf: ({ request }) => `${request.proposed}and mine\n` });
  void open(knowing, "2");
  expect(knowing.close("2", "asked")).toEqual({ alreadyClosed: false, text: "new\nand mine\n" });
});

test("a second diff with a pending id is refused", async () => {
  const diffs = atOnce();
  void open(diffs, "1");
  await expect(open(diffs, "1")).rejects.toThrow('a diff with the id "1" is already pending');
  expect(idsOf(diffs)).toEqual(["1"]);
});

test("a signal that aborts after the answer leaves the next diff of its id alone", async () => {
  const diffs = atOnce();
  const controller = new AbortController();
  const first = diffs.open(requestOf("1"), controller.signal);
  diffs.answer("1", { kind: "rejected" }, "page");
  await first;
  void diffs.open(requestOf("1"), new AbortController().signal);
  controller.abort();
  expect(seen).toEqual(["+1", "-1 rejected page", "+1"]);
});

test("the end of the editor cancels pending diffs", async () => {
  const diffs = atOnce();
  const outcomes = [open(diffs, "1"), open(diffs, "2")];
  diffs.end();
  outcomes.push(open(diffs, "3"));
  const cancelled = { kind: "cancelled" };
  expect(await Promise.all(outcomes)).toEqual([cancelled, cancelled, cancelled]);
  const ends = ["-1 cancelled editor-closed", "-2 cancelled editor-closed"];
  expect(seen).toEqual(["+1", "+2", ...ends]);
});

test("the end of the editor rejects pending diffs, if that is its policy", async () => {
  const diffs = atOnce({ failAtEnd: ({ path }) => new ToolFailure(`${path}: undecided`) });
  const outcome = open(diffs, "1");
  diffs.end();
  await expect(outcome).rejects.toThrow(new ToolFailure("/vault/1.md: undecided"));
  expect(seen).toEqual(["+1", "-1 cancelled editor-closed"]);
});

test("a diff that cannot be prepared rejects, synchronously or later", async () => {
  const fail = () => {
    throw new ToolFailure("unreadable");
  };
  await expect(open(atOnce({ prepare: fail }), "1")).rejects.toThrow("unreadable");
  await expect(open(atOnce({ prepare: async () => fail() }), "1")).rejects.toThrow("unreadable");
  expect(seen).toEqual([]);
});

test("diffs are shown in the order of arrival, whichever is prepared first", async () => {
  const { diffs, open: openLater } = later();
  const [one, two, three] = [openLater("1"), openLater("2"), openLater("3")];
  await three.ready();
  await two.ready();
  expect(diffs.shown).toEqual([]);
  expect(diffs.get("2")).toBeUndefined();
  expect(diffs.answer("2", { kind: "rejected" }, "page")).toBe(false);
  await one.ready();
  expect(seen).toEqual(["+1", "+2", "+3"]);
  expect(idsOf(diffs)).toEqual(["1", "2", "3"]);
  expect(diffs.get("2")).toEqual({ request: requestOf("2") });
});

test.each<[string, (one: Opened, diffs: PendingDiffs<ShownDiff>) => unknown]>([
  ["fails", ({ fail }) => fail()],
  ["is aborted", ({ controller }) => controller.abort()],
  ["is closed", (_one, diffs) => diffs.close("1", "asked")],
])("a diff that %s before it is shown does not block later ones", async (_how, end) => {
  const { diffs, open: openLater } = later();
  const one = openLater("1");
  await openLater("2").ready();
  expect(seen).toEqual([]);
  await end(one, diffs);
  await settled();
  expect(seen).toEqual(["+2"]);
});

test("diffs that end together with an earlier one are never shown", async () => {
  const { open: openLater } = later();
  const [one, two, three] = [openLater("1"), openLater("2"), openLater("3")];
  await two.ready();
  await three.ready();
  for (const { controller } of [one, two]) controller.abort();
  await settled();
  expect(seen).toEqual(["+3"]);
});

test("the end of the editor shows no further diffs", async () => {
  const { diffs, open: openLater } = later();
  openLater("1");
  await openLater("2").ready();
  diffs.end();
  await settled();
  expect(seen).toEqual([]);
});

test("a failure after the end of a diff does not affect the next one with its id", async () => {
  const { diffs, open: openLater } = later();
  const before = openLater("1");
  before.controller.abort();
  const after = openLater("1");
  await before.fail();
  await after.ready();
  expect(seen).toEqual(["+1"]);
  expect(diffs.close("1", "asked")).toEqual({ alreadyClosed: false });
  expect(await after.outcome).toEqual({ kind: "cancelled" });
});

test("the base text of a diff can be replaced only while the diff is shown", async () => {
  const { diffs, open: openLater } = later();
  diffs.events.on("diffChanged", ({ request }) => void seen.push(`~${request.id}`));
  const { ready, outcome } = openLater("1");
  diffs.update({ request: requestOf("1") });
  await ready();
  const update = { request: requestOf("1") };
  diffs.update(update);
  expect(diffs.get("1")).toBe(update);
  diffs.answer("1", { kind: "rejected" }, "page");
  diffs.update({ request: requestOf("1") });
  expect(seen).toEqual(["+1", "~1", "-1 rejected page"]);
  expect(await outcome).toEqual({ kind: "rejected" });
});
