import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { EditorState } from "@codemirror/state";
import { editDraft } from "@idewire/codemirror";
import {
  createDraft,
  type Hunk,
  hunksOf,
  pendingHunks,
  trackHunks,
} from "@idewire/codemirror/internal";
import { expect, test } from "vitest";
import type { DiffRow } from "../../packages/cli/src/serve/terminal/diff/diff-rows.ts";
import { HunkReview } from "../../packages/cli/src/serve/terminal/review/hunk-review.ts";

/** A hunk as a person sees it: its lines, and the marked words of each side. */
interface ShownHunk {
  readonly removed: readonly string[];
  readonly added: readonly string[];
  readonly marks: readonly string[];
}

function inTerminal(before: string, after: string): readonly ShownHunk[] {
  const review = new HunkReview(before, after);
  return review.hunks.map((hunk) => {
    const rows = review.rowsOf(hunk);
    const changed = rows.slice(0, rows.length).filter(({ kind }) => kind !== "same");
    const textsOf = (kind: DiffRow["kind"]) =>
      changed.filter((row) => row.kind === kind).map(({ text }) => text);
    const marks = changed.flatMap(({ text, marks: own = [] }) =>
      own.map(({ from, to }) => text.slice(from, to)),
    );
    return { removed: textsOf("removed"), added: textsOf("added"), marks };
  });
}

/** The hunks in the editor of page and plugin. */
function inEditor(before: string, after: string): readonly ShownHunk[] {
  const draft = createDraft(before, after);
  const state = EditorState.create({
    doc: draft.result.doc,
    extensions: [editDraft(draft), trackHunks(hunksOf(draft))],
  });
  return pendingHunks(state).map(({ text }) => ({
    removed: linesOf(text.a),
    added: linesOf(text.b),
    marks: marksOf(text),
  }));
}

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g)?.map((line) => line.replace(/\n$/, "")) ?? [];
}

/** Without line breaks, which no frontend marks. */
function marksOf({ a, b, marked }: Hunk["text"]): readonly string[] {
  return [
    ...marked.map(({ fromA, toA }) => a.slice(fromA, toA)),
    ...marked.map(({ fromB, toB }) => b.slice(fromB, toB)),
  ].flatMap((text) => text.split("\n").filter((part) => part !== ""));
}

const folder = join(import.meta.dirname, "../../packages/core/src");

const files = (readdirSync(folder, { recursive: true }) as string[])
  .filter((name) => name.endsWith(".ts"))
  .sort()
  .map((name) => readFileSync(join(folder, name), "utf8"))
  .filter((text) => text.split("\n").length > 30);

/** Pseudorandom numbers, the same in every run. */
function randomBelow(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * limit);
  };
}

/** A file after typical edits: lines deleted, inserted, repeated and indented, words replaced. */
function edit(text: string, other: readonly string[], seed: number): string {
  const random = randomBelow(seed);
  const lines = text.split("\n");
  for (let left = 1 + (seed % 64); left > 0; left -= 1) {
    const at = random(lines.length - 1);
    const line = lines[at] ?? "";
    const act = random(5);
    if (act === 0) lines.splice(at, 1 + random(3));
    if (act === 1) lines.splice(at, 0, other[random(other.length)] ?? "");
    if (act === 2) lines.splice(at, 0, line);
    if (act === 3) lines[at] = `  ${line}`;
    if (act === 4) lines[at] = line.replace(/\w+/, (word) => `${word}s`);
  }
  return lines.join("\n");
}

test("terminal, page and plugin show the same hunks and words of 200 versions of real files", () => {
  for (let index = 0; index < 200; index += 1) {
    const text = files[index % files.length] ?? "";
    const other = files[(index * 7 + 1) % files.length] ?? "";
    const after = edit(text, other.split("\n"), index);
    const shown = inTerminal(text, after);
    expect(inEditor(text, after), `version ${index}`).toEqual(shown);
  }
});
