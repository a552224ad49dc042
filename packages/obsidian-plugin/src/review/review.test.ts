import { textOfDraft } from "@idewire/codemirror";
import { createDraft } from "@idewire/codemirror/internal";
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
    path: full.path,
    name: "a.md",
    isOutside: false,
    record: "r1",
    current: now,
    newer: undefined,
    before: { saved: now, shown: now },
    now: { saved: now, shown: now },
    undoSteps: undefined,
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
  ["the old lines of a file with CRLF", "a\r\nb\r\n", "a\nB\n", "a\nb\n", "rejected"],
  ["a proposal of the text that is there already", "same", "same", "same", "accepted"],
  ["an empty new file", undefined, "", "", "accepted"],
] as const)("the answer when the person accepts %s", (_, current, proposed, text, kind) => {
  const expected = kind === "accepted" ? { kind, text } : { kind };
  expect(answerOf(reviewOf(current, proposed), text)).toEqual(expected);
});

test("changes made to the note meanwhile are merged into the proposal", () => {
  const review = reviewOf("one\ntwo\nthree\n", "one\ntwo\nTHREE\n");
  const { draft, overlaps } = mergeNewer(review, text("ONE\ntwo\nthree\n"));
  expect([textOfDraft(draft), overlaps]).toEqual(["ONE\ntwo\nTHREE\n", 0]);
  expect(draft.base.doc.toString()).toBe("ONE\ntwo\nthree\n");
});

test("a merge keeps the person's edits", () => {
  const review = reviewOf("one\ntwo\nthree\n", "one\ntwo\nTHREE\n");
  review.draft = createDraft("one\ntwo\nthree\n", "one\nmy two\nTHREE\n");
  expect(textOfDraft(mergeNewer(review, text("ONE\ntwo\nthree\n")).draft)).toBe(
    "ONE\nmy two\nTHREE\n",
  );
});

test("if the agent uses other line endings, not every line counts as changed", () => {
  const review = reviewOf("one\r\ntwo\r\nthree\r\n", "one\ntwo\nTHREE\n");
  const { draft, overlaps } = mergeNewer(review, text("ONE\r\ntwo\r\nthree\r\n"));
  expect([textOfDraft(draft), overlaps]).toEqual(["ONE\ntwo\nTHREE\n", 0]);
});

test("a merge keeps the byte order mark of the proposal", () => {
  const merged = mergeNewer(reviewOf("\uFEFFa\nb\n", "\uFEFFa\nB\n"), text("\uFEFFA\nb\n"));
  expect(textOfDraft(merged.draft)).toBe("\uFEFFA\nB\n");
});

test("a deleted note is compared as empty, and the proposal is complete", () => {
  const draft = compareWithNewer(reviewOf("one\n", "two\n"), { kind: "missing" });
  expect([draft.base.doc.toString(), textOfDraft(draft)]).toEqual(["", "two\n"]);
});

test("changes of line endings and byte order marks are described, since a diff does not show them", () => {
  expect(hiddenChanges(text("a\r\nb"), "a\nb")).toEqual({
    endings: { from: "CRLF", to: "LF", lines: 1 },
  });
  expect(hiddenChanges(text("\uFEFFa"), "a")).toEqual({ bom: "removed" });
  expect(hiddenChanges(text("a\n"), "b\n")).toEqual({});
  expect(hiddenChanges(text("a\r\nb\r\n"), "a\nB\n")).toEqual({});
  expect(hiddenChanges({ kind: "missing" }, "b\r\n")).toEqual({});
});
