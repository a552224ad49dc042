import { expect, test } from "vitest";
import { posixPath } from "../testing/posix-path.ts";
import type { DiffOutcome, EditorHost } from "./editor-host.ts";
import { OpenDiffs } from "./open-diffs.ts";

const path = posixPath("/vault/a.txt");
const request = {
  id: "d1",
  session: "s1",
  path,
  oldPath: path,
  proposed: "new",
  title: "a tab",
  outsideWorkspace: false,
};

function openOne(outcome: DiffOutcome) {
  const host: Pick<EditorHost, "openDiff"> = { openDiff: async () => outcome };
  const diffs = new OpenDiffs(host as EditorHost, () => undefined);
  const answers: DiffOutcome[] = [];
  const answer = diffs.open(request, new AbortController().signal);
  void answer.then((each) => answers.push(each));
  return { diffs, answer, answers };
}

test.each<DiffOutcome>([
  { kind: "accepted", text: "new", edited: false },
  { kind: "rejected" },
  { kind: "closed" },
])("what the person says is the answer: $kind", async (outcome) => {
  const { diffs, answer } = openOne(outcome);
  expect(await answer).toEqual(outcome);
  expect(diffs.requests).toEqual([]);
});

test("a host that cancels unasked has decided nothing: the agent settles it", async () => {
  const { diffs, answer, answers } = openOne({ kind: "cancelled" });
  // More turns than an answer takes.
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  expect(answers).toEqual([]);
  expect(diffs.requests).toEqual([request]);
  expect(await diffs.closeThose(({ title }) => title === "a tab")).toBe(1);
  expect(await answer).toEqual({ kind: "cancelled" });
});
