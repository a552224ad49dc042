import { expect, test } from "vitest";
import { keepHunk, restoreHunk } from "../../hunks/restore.ts";
import { type ChangeBounds, ChangeList, type WrittenChange } from "./change-list.ts";

function fixture(bounds?: ChangeBounds) {
  let nowMs = 0;
  const list = new ChangeList(() => ++nowMs, bounds);
  const propose = (id: string, before = "1\n", after = "1\n2\n") =>
    list.proposed({ id, path: `${id}.md`, agent: "Claude Code", before, after });
  const write = (before: string | undefined, after: string, other: Partial<WrittenChange> = {}) =>
    list.wrote({
      ...{ path: "a.md", agent: "Claude Code", turn: "1", isCertain: true },
      texts: { before, after },
      ...other,
    });
  return { list, propose, write };
}

const statesOf = (list: ChangeList) => list.all.map(({ id, state }) => `${id} ${state}`);

test("answered proposals stay with their state, the newest first, and can be read", () => {
  const { list, propose } = fixture();
  for (const id of ["a", "b", "c", "d", "e", "f"]) propose(id);
  list.ended("a", { kind: "accepted", text: "1\nmine\nmore\n", edited: true }, "page");
  list.ended("b", { kind: "rejected" }, "terminal");
  list.ended("c", { kind: "cancelled" }, "asked");
  list.ended("d", { kind: "cancelled" }, "session-gone");
  list.ended("e", { kind: "cancelled" }, "answered-elsewhere");
  expect(statesOf(list)).toEqual([
    "f waiting",
    "e answered-elsewhere",
    "d gone",
    "c withdrawn",
    "b rejected",
    "a accepted",
  ]);
  expect(list.textsOf("a")).toEqual({ before: "1\n", after: "1\nmine\nmore\n" });
  expect(list.get("a")).toMatchObject({ added: 2, removed: 0, isReadable: true });
});

test("a proposal that is compared with another text stays the same change", () => {
  const { list, propose } = fixture();
  propose("a");
  const openedMs = list.get("a")?.openedMs;
  propose("b");
  propose("a", "1\n2\n3\n");
  expect(statesOf(list)).toEqual(["b waiting", "a waiting"]);
  expect(list.get("a")).toMatchObject({ openedMs, removed: 1, version: 2 });
});

test("writes of one turn on each other are one change, and those of another turn or text are others", () => {
  const { list, write } = fixture();
  write("1\n", "2\n");
  write("2\n", "3\n");
  expect(list.all).toHaveLength(1);
  expect(list.textsOf("e1")).toMatchObject({ before: "1\n", after: "3\n" });
  write("3\nby the person\n", "4\n");
  write("4\n", "5\n", { turn: "2" });
  write("4\n", "5\n", { turn: "2", path: "b.md", texts: undefined });
  expect(list.all.map(({ id, isReadable }) => [id, isReadable])).toEqual([
    ["e4", false],
    ["e3", true],
    ["e2", true],
    ["e1", true],
  ]);
  expect(list.turnOf("e1").map(({ id }) => id)).toEqual(["e2", "e1"]);
});

test("an edit is kept, undone, or both in parts, once all hunks are decided", () => {
  const { list, write } = fixture();
  const before = "1\n2\n3\n4\n5\n";
  const written = "one\n2\nthree\n4\nfive\n";
  const keep = (id: string) => {
    const undecided = list.textsOf(id)?.undecided ?? { before: "", written: "" };
    list.decided(id, { ...undecided, before: keepHunk(undecided, 0) });
  };
  const undo = (id: string) => {
    const undecided = list.textsOf(id)?.undecided ?? { before: "", written: "" };
    const { written: left } = restoreHunk({ ...undecided, current: undecided.written }, 0);
    list.decided(id, { ...undecided, written: left });
  };
  for (const turn of ["1", "2", "3"]) write(before, written, { turn });
  for (const decide of [keep, keep, keep]) decide("e1");
  for (const decide of [undo, undo, undo]) decide("e2");
  for (const decide of [undo, keep]) decide("e3");
  expect(statesOf(list)).toEqual(["e3 unreviewed", "e2 undone", "e1 kept"]);
  keep("e3");
  expect(list.get("e3")).toMatchObject({ state: "partly-undone", version: 4, added: 3 });
});

test("the list is bounded in number and text, and what can still be decided is dropped last", () => {
  const { list, propose, write } = fixture({ changes: 3, units: 30 });
  propose("waiting");
  for (const id of ["a", "b", "c"]) {
    propose(id);
    list.ended(id, { kind: "rejected" }, "page");
  }
  expect(statesOf(list)).toEqual(["c rejected", "b rejected", "waiting waiting"]);
  write("1".repeat(10), "2".repeat(10));
  expect(list.all.map(({ id, isReadable }) => `${id} ${isReadable}`)).toEqual([
    "e1 true",
    "c false",
    "waiting true",
  ]);
  expect(list.get("c")).toMatchObject({ added: 1, removed: 0 });
});

test("each change of the list is announced", () => {
  const { list, propose } = fixture();
  let count = 0;
  list.events.on("change", () => {
    count += 1;
  });
  propose("a");
  list.ended("a", { kind: "rejected" }, "page");
  list.ended("a", { kind: "rejected" }, "page");
  expect(count).toBe(2);
});
