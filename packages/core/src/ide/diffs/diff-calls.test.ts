import { expect, test, vi } from "vitest";
import { IdewireError, ToolFailure } from "../../errors.ts";
import { sampleDiff } from "../../testing/sample-values.ts";
import type { ClosedDiff, DiffOutcome, DiffRequest, EditorHost } from "../editor-host.ts";
import { DiffCalls, type DiffCallsOptions } from "./diff-calls.ts";
import { PendingDiffs, type ShownDiff } from "./pending-diffs.ts";

const request = sampleDiff({ proposed: "new", title: "a tab" });
const { path } = request;

/** Diffs in an editor that provides the text as edited so far. */
function inEditor(options?: DiffCallsOptions) {
  const pending = new PendingDiffs<ShownDiff>({
    prepare: (request) => ({ request }),
    textOf: ({ request: { proposed } }) => `${proposed}, edited so far`,
  });
  const ends: string[] = [];
  pending.events.on("diffClosed", (_diff, { kind }, by) => void ends.push(`${kind} ${by}`));
  const calls = new DiffCalls(
    {
      openDiff: (request, signal) => pending.open(request, signal),
      closeDiff: async (id, why) => pending.close(id, why),
    },
    options,
  );
  return { pending, calls, ends };
}

function withHost(host: Pick<EditorHost, "openDiff" | "closeDiff">, options?: DiffCallsOptions) {
  const calls = new DiffCalls(host, options);
  const answers: DiffOutcome[] = [];
  const outcome = calls.open(request, new AbortController().signal);
  void outcome.then(
    (answer) => answers.push(answer),
    () => undefined,
  );
  return { calls, outcome, answers };
}

/** More turns than an answer takes. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

test.each<DiffOutcome>([
  { kind: "accepted", text: "new", edited: false },
  { kind: "rejected" },
  { kind: "closed" },
])("the person's answer is the outcome: $kind", async (answer) => {
  const { calls, outcome } = withHost({ openDiff: async () => answer });
  expect(await outcome).toEqual(answer);
  expect(calls.requests).toEqual([]);
});

test("a diff that the editor cancels unasked stays pending until the agent settles it", async () => {
  const openDiff = async () => ({ kind: "cancelled" }) as const;
  const { calls, outcome, answers } = withHost({ openDiff }, { ignoreCancelled: true });
  await settled();
  expect(answers).toEqual([]);
  expect(calls.requests).toEqual([request]);
  expect(await calls.closeThose(({ title }) => title === "a tab")).toHaveLength(1);
  expect(await outcome).toEqual({ kind: "cancelled" });
});

test("without that option an editor's cancellation is passed on", async () => {
  const { outcome } = withHost({ openDiff: async () => ({ kind: "cancelled" }) });
  expect(await outcome).toEqual({ kind: "cancelled" });
});

test("without openDiff a diff is pending until the agent closes it", async () => {
  const { calls, outcome, answers } = withHost({});
  await settled();
  expect(answers).toEqual([]);
  expect(await calls.close("d1", "asked")).toEqual({ alreadyClosed: false });
  expect(await outcome).toEqual({ kind: "cancelled" });
});

test.each<[string, unknown]>([
  ["asked", undefined],
  ["session-gone", new IdewireError("closed", "the connection has closed")],
  ["session-gone", "session-gone"],
  ["answered-elsewhere", "answered-elsewhere"],
])("a diff ends with the call that opened it: %s", async (why, reason) => {
  const { pending, calls, ends } = inEditor();
  const caller = new AbortController();
  const outcome = calls.open(request, caller.signal);
  caller.abort(reason);
  expect(await outcome).toEqual({ kind: "cancelled" });
  expect(ends).toEqual([`cancelled ${why}`]);
  expect([pending.shown, calls.requests]).toEqual([[], []]);
});

test("a diff of an aborted call is never shown", async () => {
  const openDiff = vi.fn();
  const calls = new DiffCalls({ openDiff });
  expect(await calls.open(request, AbortSignal.abort())).toEqual({ kind: "cancelled" });
  expect(openDiff).not.toHaveBeenCalled();
});

test("a diff is pending until it is answered, and then resolves with the answer", async () => {
  const { pending, calls } = inEditor();
  const sent: DiffOutcome[] = [];
  void calls.open(request, new AbortController().signal).then((outcome) => sent.push(outcome));
  await settled();
  expect(sent).toEqual([]);
  expect(calls.requests).toEqual([request]);
  pending.answer("d1", { kind: "accepted", text: "newer" }, "editor");
  await settled();
  expect(sent).toEqual([{ kind: "accepted", text: "newer", edited: true }]);
});

test("closing a diff returns the text so far and settles it as cancelled", async () => {
  const { pending, calls } = inEditor();
  const outcome = calls.open(request, new AbortController().signal);
  const [closed] = await calls.closeThose((diff) => diff.path === path);
  expect(closed).toEqual({ alreadyClosed: false, text: "new, edited so far" });
  expect(await outcome).toEqual({ kind: "cancelled" });
  expect(pending.answer("d1", { kind: "rejected" }, "editor")).toBe(false);
  expect(await calls.close("d1", "asked")).toEqual({ alreadyClosed: true });
});

test("the end of the session closes its diffs", async () => {
  const { calls, ends } = inEditor();
  const outcome = calls.open(request, new AbortController().signal);
  expect(await calls.closeAll("session-gone")).toHaveLength(1);
  expect(await outcome).toEqual({ kind: "cancelled" });
  expect(ends).toEqual(["cancelled session-gone"]);
});

test("a diff that is being closed is not listed, and a late answer is ignored", async () => {
  let answer: (outcome: DiffOutcome) => void = () => undefined;
  let letGo: () => void = () => undefined;
  const closeDiff = vi.fn(
    () =>
      new Promise<ClosedDiff>((resolve) => {
        letGo = () => resolve({ alreadyClosed: false });
      }),
  );
  const { calls, outcome } = withHost({
    openDiff: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
    closeDiff,
  });
  const first = calls.close("d1", "asked");
  const again = calls.close("d1", "asked");
  expect(calls.requests).toEqual([]);
  answer({ kind: "rejected" });
  expect(await outcome).toEqual({ kind: "cancelled" });
  letGo();
  expect(await Promise.all([first, again])).toEqual([
    { alreadyClosed: false },
    { alreadyClosed: false },
  ]);
  expect(closeDiff).toHaveBeenCalledOnce();
});

test("an editor that fails to close a diff is reported, and the diff is settled", async () => {
  const failure = new Error("stuck");
  const onerror = vi.fn();
  const signals: AbortSignal[] = [];
  const host = {
    openDiff: (_asked: DiffRequest, signal: AbortSignal) => {
      signals.push(signal);
      return new Promise<DiffOutcome>(() => undefined);
    },
    closeDiff: () => Promise.reject(failure),
  };
  const { calls, outcome } = withHost(host, { onerror });
  expect(await calls.closeAll("asked")).toEqual([{ alreadyClosed: false }]);
  expect(await outcome).toEqual({ kind: "cancelled" });
  expect(onerror).toHaveBeenCalledExactlyOnceWith(failure);
  expect(signals.map(({ reason }) => reason)).toEqual(["asked"]);
  const direct = withHost(host);
  await expect(direct.calls.close("d1", "asked")).rejects.toBe(failure);
  expect(await direct.outcome).toEqual({ kind: "cancelled" });
});

test("a diff that the editor cannot show rejects, synchronously or later", async () => {
  const fail = () => {
    throw new ToolFailure("unreadable");
  };
  for (const openDiff of [fail, async () => fail()]) {
    const { calls, outcome } = withHost({ openDiff });
    await expect(outcome).rejects.toThrow("unreadable");
    expect(calls.requests).toEqual([]);
  }
});

test("a second diff with a pending id is refused", async () => {
  const { calls } = inEditor();
  const outcome = calls.open(request, new AbortController().signal);
  await expect(calls.open(request, new AbortController().signal)).rejects.toThrow(
    'a diff with the id "d1" is already pending',
  );
  await calls.closeAll("asked");
  expect(await outcome).toEqual({ kind: "cancelled" });
});
