import { textOfDraft } from "@idewire/codemirror";
import { createDraft } from "@idewire/codemirror/review";
import type { DiffRequest } from "@idewire/core";
import { expect, test } from "vitest";
import type { CurrentText } from "./current-text.ts";
import {
  answerOf,
  compareWithNewer,
  hiddenChanges,
  kindOfChange,
  mergeNewer,
  type Review,
  startDraft,
} from "./review.ts";

function reviewOf(current: string | undefined, proposed: string): Review {
  const request = { id: "d1", session: "s1", path: "/v/a.md", oldPath: "/v/a.md" } as DiffRequest;
  const now: CurrentText =
    current === undefined ? { kind: "missing" } : { kind: "text", text: current };
  const full = { ...request, proposed, title: "a.md", outsideWorkspace: false };
  const draft = startDraft(full, now);
  return {
    id: "d1",
    request: full,
    agent: "Claude Code",
    name: "a.md",
    isOutside: false,
    record: "r1",
    current: now,
    newer: undefined,
    untouched: draft.result.doc,
    draft,
  };
}

const text = (value: string): CurrentText => ({ kind: "text", text: value });

test.each([
  [undefined, "new", "create"],
  [undefined, "", "create"],
  ["old", "new", "change"],
  ["old", "", "empty"],
  ["same", "same", "none"],
  ["", "", "none"],
] as const)("%j to %j is to %s", (current, proposed, kind) => {
  expect(kindOfChange(reviewOf(current, proposed))).toBe(kind);
});

test.each([
  ["the proposal", "old\n", "new\n", "new\n", "accepted"],
  ["an edited text", "old\n", "new\n", "mine\n", "accepted"],
  ["a text with every change rejected", "old\n", "new\n", "old\n", "rejected"],
  ["a proposal of the text that is there already", "same", "same", "same", "accepted"],
  ["an empty new file", undefined, "", "", "accepted"],
] as const)("accepting %s answers as it should", (_, current, proposed, text, kind) => {
  const expected = kind === "accepted" ? { kind, text } : { kind };
  expect(answerOf(reviewOf(current, proposed), text)).toEqual(expected);
});

test("what happened in the note meanwhile is put into the proposal", () => {
  const review = reviewOf("one\ntwo\nthree\n", "one\ntwo\nTHREE\n");
  const { draft, overlaps } = mergeNewer(review, text("ONE\ntwo\nthree\n"));
  expect([textOfDraft(draft), overlaps]).toEqual(["ONE\ntwo\nTHREE\n", 0]);
  expect(draft.base.doc.toString()).toBe("ONE\ntwo\nthree\n");
});

test("what the person has edited in the review is kept by the merge", () => {
  const review = reviewOf("one\ntwo\nthree\n", "one\ntwo\nTHREE\n");
  review.draft = createDraft("one\ntwo\nthree\n", "one\nmy two\nTHREE\n");
  expect(textOfDraft(mergeNewer(review, text("ONE\ntwo\nthree\n")).draft)).toBe(
    "ONE\nmy two\nTHREE\n",
  );
});

test("other line endings of the agent are not a change of every line", () => {
  const review = reviewOf("one\r\ntwo\r\nthree\r\n", "one\ntwo\nTHREE\n");
  const { draft, overlaps } = mergeNewer(review, text("ONE\r\ntwo\r\nthree\r\n"));
  expect([textOfDraft(draft), overlaps]).toEqual(["ONE\ntwo\nTHREE\n", 0]);
});

test("a byte order mark stays what the agent made of it", () => {
  const merged = mergeNewer(reviewOf("\uFEFFa\nb\n", "\uFEFFa\nB\n"), text("\uFEFFA\nb\n"));
  expect(textOfDraft(merged.draft)).toBe("\uFEFFA\nB\n");
});

test("a note that is gone is compared with nothing, and the proposal is whole", () => {
  const draft = compareWithNewer(reviewOf("one\n", "two\n"), { kind: "missing" });
  expect([draft.base.doc.toString(), textOfDraft(draft)]).toEqual(["", "two\n"]);
});

test("line endings and byte order marks that change are told, since nobody sees them", () => {
  expect(hiddenChanges(text("a\r\nb"), "a\nb")).toEqual({
    endings: { from: "CRLF", to: "LF", lines: 1 },
  });
  expect(hiddenChanges(text("\uFEFFa"), "a")).toEqual({ bom: "removed" });
  expect(hiddenChanges(text("a\n"), "b\n")).toEqual({});
  expect(hiddenChanges({ kind: "missing" }, "b\r\n")).toEqual({});
});
