import { type ChangeSpec, EditorState } from "@codemirror/state";
import { describe, expect, test } from "vitest";
import { type Lines, linesAfter } from "./lines-after.ts";

/** Lines `1` to `5`, and where some of them are after a change. */
function after(lines: Lines, changes: ChangeSpec): Lines {
  const state = EditorState.create({ doc: "1\n2\n3\n4\n5" });
  const change = state.update({ changes });
  return linesAfter(lines, { before: state.doc, changes: change.changes, after: change.newDoc });
}

describe("lines mapped through a change", () => {
  test("move down with their text when lines are typed above or directly before it", () => {
    expect(after({ line: 3 }, { from: 0, insert: "a\nb\n" })).toEqual({ line: 5 });
    expect(after({ line: 3 }, { from: 4, insert: "\n" })).toEqual({ line: 4 });
  });

  test("stay when lines are typed below or directly after them", () => {
    expect(after({ line: 2, endLine: 3 }, { from: 5, insert: "\n\n" })).toEqual({
      ...{ line: 2, endLine: 3 },
    });
  });

  test("grow and shrink with the lines typed and deleted inside", () => {
    expect(after({ line: 2, endLine: 4 }, { from: 4, insert: "a\n" })).toEqual({
      ...{ line: 2, endLine: 5 },
    });
    expect(after({ line: 2, endLine: 4 }, { from: 3, to: 7 })).toEqual({ line: 2 });
  });

  test("follow their text in a complete replacement, the second of two equal ones too", () => {
    const all = (insert: string) => ({ from: 0, to: 9, insert });
    expect(after({ line: 3 }, all("0\n1\n2\n3\n4\n5\n6"))).toEqual({ line: 4 });
    expect(after({ line: 2, endLine: 3 }, all("0\n1\n2\nnew\n3\n6"))).toEqual({
      ...{ line: 3, endLine: 5 },
    });
    const { doc } = EditorState.create({ doc: "a\n}\nb\n}\nc" });
    const state = EditorState.create({ doc });
    const { changes, newDoc } = state.update({
      changes: { from: 0, to: doc.length, insert: "x\na\n}\nb2\n}\ny" },
    });
    expect(linesAfter({ line: 4 }, { before: doc, changes, after: newDoc })).toEqual({ line: 5 });
  });

  test("are at the former place of their text when it is deleted, even beyond the end", () => {
    expect(after({ line: 3 }, { from: 0, to: 9 })).toEqual({ line: 1 });
    expect(after({ line: 9, endLine: 12 }, { from: 0, insert: "a\n" })).toEqual({ line: 6 });
  });
});
