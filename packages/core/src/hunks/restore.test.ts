import fc from "fast-check";
import { expect, test } from "vitest";
import { keepHunk, lineHunks, restoreAll, restoreHunk } from "./restore.ts";

// A fixed seed: every run tests the same texts.
fc.configureGlobal({ seed: 20_261_129 });

const line = fc.constantFrom("a", "b", "c", "d", "e", "");
const ending = fc.constantFrom("\n", "\n", "\r\n", "\r");
const text = fc
  .tuple(fc.constantFrom("", "", "\uFEFF"), fc.array(fc.tuple(line, ending)), line)
  .map(([bom, lines, last]) => bom + lines.map((one) => one.join("")).join("") + last);

test("undoing every hunk of an unchanged text restores the text before it, in any order", () => {
  fc.assert(
    fc.property(text, text, fc.array(fc.nat()), (before, written, picks) => {
      let now = { written, current: written };
      for (const pick of [...picks, ...Array<number>(100).fill(0)]) {
        const count = lineHunks(before, now.written).length;
        if (count === 0) break;
        const undone = restoreHunk({ before, ...now }, pick % count);
        expect(undone.refused).toBe(0);
        expect(undone.current).toBe(undone.written);
        now = undone;
      }
      expect(lineHunks(before, now.current)).toEqual([]);
      expect(restoreAll({ before, written, current: written }).current).toBe(before);
    }),
  );
});

test("keeping every hunk makes the text before the edit the written one", () => {
  fc.assert(
    fc.property(text, text, (before, written) => {
      let kept = before;
      for (let count = 0; count < 100 && lineHunks(kept, written).length > 0; count += 1) {
        kept = keepHunk({ before: kept, written }, 0);
      }
      expect(lineHunks(kept, written)).toEqual([]);
    }),
  );
});

/** Lines that begin with the name of their author, so that each is recognised wherever it is. */
const numbered = (who: string, max: number) =>
  fc.array(
    fc.nat({ max: 999 }).map((n) => `${who}${n}\n`),
    { maxLength: max },
  );

interface Splice {
  readonly at: number;
  readonly removed: number;
  readonly added: readonly string[];
}

function splices(who: string): fc.Arbitrary<readonly Splice[]> {
  return fc.array(
    fc.record({ at: fc.nat({ max: 20 }), removed: fc.nat({ max: 3 }), added: numbered(who, 3) }),
    { maxLength: 4 },
  );
}

function apply(lines: readonly string[], edits: readonly Splice[]): readonly string[] {
  const now = [...lines];
  for (const { at, removed, added } of edits) now.splice(at % (now.length + 1), removed, ...added);
  return now;
}

test("no line that the person has typed since is lost, and none that the agent has not written", () => {
  fc.assert(
    fc.property(numbered("old", 20), splices("agent"), splices("person"), (old, theirs, mine) => {
      const written = apply(old, theirs);
      const current = apply(written, mine);
      const texts = [old, written, current].map((lines) => lines.join(""));
      const [before = "", after = "", now = ""] = texts;
      const undone = restoreAll({ before, written: after, current: now });
      const left = undone.current.match(/[^\n]*\n/g) ?? [];
      for (const each of new Set(current.filter((one) => !one.startsWith("agent")))) {
        // Only the person's lines are counted: old lines that the agent has moved are moved back.
        if (each.startsWith("person")) {
          expect(count(left, each)).toBe(count(current, each));
        }
      }
      expect(left.every((one) => [...old, ...current].includes(one))).toBe(true);
      expect(lineHunks(before, undone.written).length === 0).toBe(undone.refused === 0);
    }),
  );
});

function count(lines: readonly string[], wanted: string): number {
  return lines.filter((one) => one === wanted).length;
}

test("a hunk is undone although lines beside it have changed", () => {
  const before = "1\n2\n3\n4\n5\n";
  const written = "1\ntwo\n3\n4\nfive\n";
  const current = "one\ntwo\n3\nfour\nfive\nsix\n";
  expect(restoreHunk({ before, written, current }, 0)).toEqual({
    current: "one\n2\n3\nfour\nfive\nsix\n",
    written: "1\n2\n3\n4\nfive\n",
    refused: 0,
  });
  expect(restoreHunk({ before, written, current }, 1).current).toBe("one\ntwo\n3\nfour\n5\nsix\n");
});

test("a hunk whose own lines have changed is refused, and the others are undone", () => {
  const before = "1\n2\n3\n4\n5\n";
  const written = "1\ntwo\n3\n4\nfive\n";
  const current = "1\ntwo!\n3\n4\nfive\n";
  expect(restoreAll({ before, written, current })).toEqual({
    current: "1\ntwo!\n3\n4\n5\n",
    written: "1\ntwo\n3\n4\n5\n",
    refused: 1,
  });
});

test("a hunk that the person has undone already is undone without a change", () => {
  const before = "1\n2\n3\n";
  expect(restoreHunk({ before, written: "1\ntwo\n3\n", current: before }, 0)).toEqual({
    current: before,
    written: before,
    refused: 0,
  });
  expect(restoreHunk({ before, written: "1\n3\n", current: before }, 0).current).toBe(before);
});

test("deleted lines return before those that were inserted in their place", () => {
  const text = { before: "1\n2\n3\n", written: "1\n3\n", current: "1\nnew\n3\n" };
  expect(restoreHunk(text, 0).current).toBe("1\n2\nnew\n3\n");
});

test("a last line without a break gets one if lines follow it", () => {
  const text = { before: "a\nb", written: "a\nb\nc\n", current: "a\nb\nc\nd\n" };
  expect(restoreHunk(text, 0).current).toBe("a\nb\nd\n");
  const other = { before: "x\na\n", written: "x\n", current: "x" };
  expect(restoreHunk(other, 0).current).toBe("x\na\n");
});

test("line endings and a byte order mark of the current text remain", () => {
  const text = { before: "1\n2\n3\n", written: "1\ntwo\n3\n", current: "\uFEFF1\r\ntwo\r\n3\r\n" };
  expect(restoreHunk(text, 0).current).toBe("\uFEFF1\r\n2\n3\r\n");
});

test("a hunk that does not exist changes nothing", () => {
  const text = { before: "1\n", written: "2\n", current: "2\n3\n" };
  expect(restoreHunk(text, 7)).toEqual({ current: "2\n3\n", written: "2\n", refused: 0 });
});
