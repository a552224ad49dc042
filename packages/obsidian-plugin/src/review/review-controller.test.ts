import { redo, undo } from "@codemirror/commands";
import { EditorState, type StateCommand } from "@codemirror/state";
import { type Draft, textOfDraft } from "@idewire/codemirror";
import { createDraft } from "@idewire/codemirror/internal";
import type { DiffOutcome, DiffRequest, PosixPath } from "@idewire/core";
import { ToolFailure } from "@idewire/core/rpc";
import { manualClock } from "@idewire/core/testing";
import { expect, test } from "vitest";
import type { CurrentText, FileTexts } from "./current-text.ts";
import { continueDraft, draftStateOf } from "./editor/compared-with.ts";
import { ReviewHistory } from "./history/history.ts";
import type { RecordTexts, ReviewRecord } from "./history/record.ts";
import { type Review, stateOf } from "./review.ts";
import { ReviewController } from "./review-controller.ts";

const text = (value: string): CurrentText => ({ kind: "text", text: value });

function fixture(files: Record<string, CurrentText | FileTexts | string> = {}) {
  const disk = new Map(Object.entries(files));
  const records = new Map<string, { record: ReviewRecord; texts?: RecordTexts }>();
  const history = new ReviewHistory({
    openStore: async () => ({
      list: async () => [...records.values()].map(({ record }) => record),
      texts: async (id) => records.get(id)?.texts,
      put: async (record, texts) =>
        void records.set(record.id, { record, ...(texts && { texts }) }),
      dropTexts: async (record) => void records.set(record.id, { record }),
      remove: async (ids) => ids.forEach((id) => void records.delete(id)),
      close: () => undefined,
    }),
    nowMs: () => 0,
    days: () => 30,
    isExcluded: () => false,
    onerror: () => undefined,
  });
  let lastId = 0;
  const clock = manualClock();
  const controller = new ReviewController({
    history,
    clock,
    newId: () => `r${++lastId}`,
    pause: () => Promise.resolve(),
    read: async (path) => {
      const file = disk.get(path) ?? { kind: "missing" };
      if (typeof file !== "string" && "saved" in file) return file;
      const saved = typeof file === "string" ? text(file) : file;
      return { saved, shown: saved };
    },
    isUnsaved: (path) => path.includes("typed"),
    nameOf: async ({ path }) => ({ name: path.slice(1), isOutside: false }),
    nameAt: (path) => path.slice(1),
    put: async (path, value) => {
      if (path.includes("locked")) return false;
      disk.set(path, value);
      return true;
    },
    agentName: () => "Claude Code",
    isExcluded: (path) => path.includes("secret"),
  });
  return { controller, disk, history, clock };
}

let lastDiff = 0;

function propose(controller: ReviewController, path: string, proposed: string) {
  lastDiff += 1;
  const id = `d${lastDiff}`;
  const request = { id, session: "s", path: path as PosixPath, oldPath: path as PosixPath };
  const full: DiffRequest = { ...request, proposed, title: id, outsideWorkspace: false };
  const outcome = controller.open(full, new AbortController().signal);
  outcome.catch(() => undefined);
  return { id, outcome };
}

async function shown(controller: ReviewController, id: string): Promise<Review> {
  for (;;) {
    const review = controller.queue.get(id);
    if (review !== undefined) return review;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

async function isSettled(outcome: Promise<DiffOutcome>): Promise<boolean> {
  const late = new Promise((resolve) => setTimeout(resolve, 5, "late"));
  return (await Promise.race([outcome, late])) !== "late";
}

test("a proposal is pending until the person accepts it, with all edits shown", async () => {
  const { controller, history } = fixture({ "/a.md": "old\n" });
  const { id, outcome } = propose(controller, "/a.md", "new\n");
  const review = await shown(controller, id);
  expect(await isSettled(outcome)).toBe(false);
  review.draft = createDraft("old\n", "newer\n");
  await controller.accept(review);
  expect(await outcome).toEqual({ kind: "accepted", text: "newer\n", edited: true });
  const [record] = await history.list();
  expect(record?.outcome).toBe("edited");
});

/** Reports a draft of the person, as the editor of the review does. */
function edit(controller: ReviewController, review: Review, draft: Draft = review.draft): void {
  controller.edited(review, { ...stateOf(review), draft });
}

/** Undoes or redoes a step in the editor of the review. */
async function step(controller: ReviewController, review: Review, command: StateCommand) {
  const { doc } = review.draft.result;
  let state = EditorState.create({ doc, extensions: continueDraft(stateOf(review)) });
  command({
    state,
    dispatch(transaction) {
      ({ state } = transaction);
    },
  });
  controller.edited(review, draftStateOf(state));
  await new Promise((resolve) => setTimeout(resolve));
}

test("merging is one step: undone, the newer text waits again and nothing can be accepted; repeated, it is merged", async () => {
  const { controller, disk } = fixture({ "/a.md": "one\ntwo\nthree\n" });
  const { id, outcome } = propose(controller, "/a.md", "one\ntwo\nTHREE\n");
  const review = await shown(controller, id);
  const mine = "\uFEFFone\r\ntwo\r\nTHREE\r\n";
  edit(controller, review, createDraft("one\ntwo\nthree\n", mine));
  for (const newer of ["ONE\ntwo\nthree\n", "1\ntwo\nthree\n"]) {
    disk.set("/a.md", newer);
    await controller.recheckPath("/a.md" as PosixPath);
    controller.merge(review);
  }
  const merged = textOfDraft(review.draft);
  expect(merged).toContain("THREE");
  await step(controller, review, undo);
  expect(review.newer).toEqual(text("1\ntwo\nthree\n"));
  expect(review.current).toEqual(text("ONE\ntwo\nthree\n"));
  await step(controller, review, undo);
  expect(review.current).toEqual(text("one\ntwo\nthree\n"));
  expect(textOfDraft(review.draft)).toBe(mine);
  await controller.accept(review);
  expect(await isSettled(outcome)).toBe(false);
  for (const _ of [1, 2]) await step(controller, review, redo);
  expect(review.newer).toBeUndefined();
  expect(textOfDraft(review.draft)).toBe(merged);
  await controller.accept(review);
  expect(await outcome).toMatchObject({ kind: "accepted", text: merged });
});

test("accepting does not overwrite a note that has changed: the change is shown first", async () => {
  const { controller, disk } = fixture({ "/a.md": "one\ntwo\nthree\n" });
  const { id, outcome } = propose(controller, "/a.md", "one\ntwo\nTHREE\n");
  const review = await shown(controller, id);
  disk.set("/a.md", "ONE\ntwo\nthree\n");
  await controller.accept(review);
  expect(await isSettled(outcome)).toBe(false);
  expect(review.newer).toEqual({ kind: "text", text: "ONE\ntwo\nthree\n" });
  await controller.accept(review);
  expect(await isSettled(outcome)).toBe(false);
  expect(controller.merge(review)).toBe(0);
  await controller.accept(review);
  expect(await outcome).toEqual({ kind: "accepted", text: "ONE\ntwo\nTHREE\n", edited: true });
});

test("after a comparison with the newer text, the unchanged proposal can be accepted", async () => {
  const { controller, disk } = fixture({ "/a.md": "one\n" });
  const { id, outcome } = propose(controller, "/a.md", "two\n");
  const review = await shown(controller, id);
  disk.set("/a.md", "newer\n");
  await controller.recheckPath("/a.md" as PosixPath);
  controller.compare(review);
  expect(review.draft.base.doc.toString()).toBe("newer\n");
  await controller.accept(review);
  expect(await outcome).toEqual({ kind: "accepted", text: "two\n", edited: false });
});

test("the review of a renamed note follows it: the text goes there, and the agent does not write", async () => {
  const { controller, disk, history } = fixture({ "/in/a.md": "one\n" });
  const { id, outcome } = propose(controller, "/in/a.md", "two\n");
  const review = await shown(controller, id);
  disk.delete("/in/a.md");
  disk.set("/out/b.md", "one\n");
  controller.renamed("/in/a.md" as PosixPath, "/in/b.md" as PosixPath);
  controller.renamed("/in" as PosixPath, "/out" as PosixPath);
  controller.renamed("/out/b" as PosixPath, "/x" as PosixPath);
  await controller.recheckPath("/out/b.md" as PosixPath);
  expect([review.name, review.newer]).toEqual(["out/b.md", undefined]);
  await controller.accept(review);
  expect(await outcome).toEqual({ kind: "rejected" });
  expect([...disk]).toEqual([["/out/b.md", "two\n"]]);
  const [record] = await history.list();
  expect(record).toMatchObject({ outcome: "accepted", path: "/out/b.md", name: "out/b.md" });
});

test("a text that cannot be put into the renamed note stays under review", async () => {
  const { controller, disk } = fixture({ "/a.md": "one\n" });
  const { id, outcome } = propose(controller, "/a.md", "two\n");
  const review = await shown(controller, id);
  const failed: string[] = [];
  controller.on("not-put", ({ name }) => failed.push(name));
  disk.set("/locked.md", "one\n");
  controller.renamed("/a.md" as PosixPath, "/locked.md" as PosixPath);
  await controller.accept(review);
  expect([failed, await isSettled(outcome)]).toEqual([["locked.md"], false]);
  controller.reject(review);
  expect(await outcome).toEqual({ kind: "rejected" });
});

test("a change of the note that is reverted is no longer reported", async () => {
  const { controller, disk } = fixture({ "/a.md": "one\n" });
  const review = await shown(controller, propose(controller, "/a.md", "two\n").id);
  disk.set("/a.md", "newer\n");
  await controller.recheck(review);
  disk.set("/a.md", "one\n");
  await controller.recheck(review);
  expect(review.newer).toBe(undefined);
});

test("unsaved text counts as newer than the text on disk", async () => {
  const typed = { shown: text("one, typed\n"), saved: text("one\n") };
  const { controller, disk } = fixture({ "/typed.md": typed });
  const review = await shown(controller, propose(controller, "/typed.md", "one\nmore\n").id);
  expect(review.current).toEqual(typed.saved);
  expect(review.newer).toEqual(typed.shown);
  controller.merge(review);
  disk.set("/typed.md", "one, typed\n");
  await controller.recheck(review);
  expect(review.newer).toBe(undefined);
});

test("a tab that still shows an older text than the disk is not newer", async () => {
  const stale = { shown: text("zero\n"), saved: text("one\n") };
  const { controller, disk } = fixture({ "/a.md": stale });
  const { id, outcome } = propose(controller, "/a.md", "one\nmore\n");
  const review = await shown(controller, id);
  expect([review.current, review.newer]).toEqual([stale.saved, undefined]);
  disk.set("/a.md", "one\n");
  await controller.accept(review);
  expect(await outcome).toEqual({ kind: "accepted", text: "one\nmore\n", edited: false });
});

test("two agents with proposals for one note get separate answers", async () => {
  const { controller } = fixture({ "/a.md": "old" });
  const first = propose(controller, "/a.md", "first");
  const second = propose(controller, "/a.md", "second");
  controller.reject(await shown(controller, second.id));
  expect(await second.outcome).toEqual({ kind: "rejected" });
  await controller.accept(await shown(controller, first.id));
  expect(await first.outcome).toEqual({ kind: "accepted", text: "first", edited: false });
});

test("a review answered elsewhere stays cancelled and returns the edited text", async () => {
  const { controller, history } = fixture({ "/a.md": "a" });
  const { id, outcome } = propose(controller, "/a.md", "A");
  const review = await shown(controller, id);
  review.draft = createDraft("a", "mine");
  expect(controller.close(id, "answered-elsewhere")).toEqual({
    alreadyClosed: false,
    text: "mine",
  });
  expect(await outcome).toEqual({ kind: "cancelled" });
  expect(controller.close(id, "answered-elsewhere")).toEqual({ alreadyClosed: true });
  await controller.accept(review);
  const found = await history.find(review.record);
  expect([found?.record.outcome, found?.texts?.result]).toEqual(["answered-elsewhere", "mine"]);
});

test("an answer in the agent, a withdrawal and a disconnection are three outcomes", async () => {
  const { controller, history } = fixture({ "/a.md": "a" });
  const outcomes: unknown[] = [];
  for (const why of ["answered-elsewhere", "asked", "session-gone"] as const) {
    const { id } = propose(controller, "/a.md", "A");
    const review = await shown(controller, id);
    controller.close(id, why);
    outcomes.push((await history.find(review.record))?.record.outcome);
  }
  expect(outcomes).toEqual(["answered-elsewhere", "withdrawn", "expired"]);
});

test("when Obsidian closes, agents get no decision, and the history has the proposals", async () => {
  const { controller, history } = fixture({ "/a.md": "a", "/b.md": "b" });
  const both = [propose(controller, "/a.md", "A"), propose(controller, "/b.md", "B")];
  for (const { id } of both) await shown(controller, id);
  controller.end();
  for (const { outcome } of both) await expect(outcome).rejects.toBeInstanceOf(ToolFailure);
  expect((await history.list()).map(({ outcome }) => outcome)).toEqual(["expired", "expired"]);
});

test("a file that cannot be shown is reviewed like a new one: only the person is notified", async () => {
  const { controller } = fixture({ "/a.png": { kind: "unreadable" } });
  const { id, outcome } = propose(controller, "/a.png", "A");
  const review = await shown(controller, id);
  expect(review.current).toEqual({ kind: "unreadable" });
  expect(await isSettled(outcome)).toBe(false);
  controller.reject(review);
  expect(await outcome).toEqual({ kind: "rejected" });
});

test("texts of excluded notes are not stored", async () => {
  const { controller, history } = fixture({ "/secret.md": "a" });
  const review = await shown(controller, propose(controller, "/secret.md", "A").id);
  controller.reject(review);
  const found = await history.find(review.record);
  expect([found?.record.outcome, found?.texts]).toEqual(["rejected", undefined]);
});

test("edits of a pending review are stored once a second", async () => {
  const { controller, history, clock } = fixture({ "/a.md": "old\n" });
  const { id, outcome } = propose(controller, "/a.md", "new\n");
  const review = await shown(controller, id);
  const kept = async () => (await history.find(review.record))?.texts?.result;
  for (const text of ["newer\n", "newest\n"]) {
    edit(controller, review, createDraft("old\n", text));
    expect(await kept()).toBeUndefined();
  }
  clock.advance(1_000);
  expect(await kept()).toBe("newest\n");
  expect((await history.find(review.record))?.record.outcome).toBe("waiting");
  edit(controller, review);
  controller.reject(review);
  await outcome;
  edit(controller, review);
  clock.advance(1_000);
  expect((await history.find(review.record))?.record.outcome).toBe("rejected");
  expect(clock.waiting).toBe(0);
});

test("edits of a long text are stored less often", async () => {
  const { controller, history, clock } = fixture({ "/a.md": "old\n" });
  const review = await shown(controller, propose(controller, "/a.md", "new\n").id);
  const kept = async () => (await history.find(review.record))?.texts?.result;
  edit(controller, review, createDraft("old\n", "x".repeat(5_000_000)));
  clock.advance(4_999);
  expect(await kept()).toBeUndefined();
  clock.advance(1);
  expect(await kept()).toHaveLength(5_000_000);
  edit(controller, review);
  controller.end();
  expect(clock.waiting).toBe(0);
});

test("edits of an overlong text are not stored, which is reported once", async () => {
  const { controller, history, clock } = fixture({ "/a.md": "old\n", "/secret.md": "old\n" });
  const received: string[] = [];
  controller.on("too-long", ({ name }) => received.push(name));
  for (const name of ["a.md", "secret.md"]) {
    const review = await shown(controller, propose(controller, `/${name}`, "new\n").id);
    edit(controller, review, createDraft("old\n", "x".repeat(10_000_001)));
    edit(controller, review);
    expect(clock.waiting).toBe(0);
    expect((await history.find(review.record))?.texts?.result).toBeUndefined();
    controller.reject(review);
  }
  expect(received).toEqual(["a.md"]);
});
