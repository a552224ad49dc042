import {
  type EditorState,
  type Extension,
  StateEffect,
  type StateEffectType,
  StateField,
  type Text,
  type Transaction,
} from "@codemirror/state";
import {
  diffWords,
  findHunks,
  marksOf,
  type SequenceChange,
  touches,
} from "@idewire/core/internal/hunks";
import { baseChangesOf } from "../base-changes.ts";
import type { Conflict, Draft } from "../draft.ts";
import { draftIn, replaceDraft } from "../draft-field.ts";
import { linesBetween, type Side, windowOf } from "./changed-window.ts";

/** The two texts of a hunk. Their words are compared when they are first drawn. */
export class HunkText {
  readonly a: string;
  readonly b: string;
  #words: readonly SequenceChange[] | undefined;

  constructor(a: string, b: string) {
    this.a = a;
    this.b = b;
  }

  /** The words that differ, as offsets from the start of the hunk. */
  get words(): readonly SequenceChange[] {
    this.#words ??= diffWords(this.a, this.b);
    return this.#words;
  }

  /** The words to mark in changed lines: none if all differ, as the lines show. */
  get marked(): readonly SequenceChange[] {
    return marksOf(this.words, this.a, this.b);
  }
}

/** Whole lines of the base (`A`) that are other lines in the result (`B`), breaks included. */
export interface Hunk extends SequenceChange {
  /** The last offset in the hunk: before the break of its last line; `from` of a side without lines. */
  readonly endA: number;
  readonly endB: number;
  /** Whether somebody else has changed its lines since the proposal. */
  readonly isConflict: boolean;
  /** The same object as long as neither text changes. */
  readonly text: HunkText;
}

/** Replaces the hunks: those of the editor beside it have changed. */
export const setHunks: StateEffectType<readonly Hunk[]> = StateEffect.define<readonly Hunk[]>();

const hunksField = StateField.define<readonly Hunk[]>({
  create: () => [],
  update(hunks, transaction) {
    for (const effect of transaction.effects) if (effect.is(setHunks)) return effect.value;
    const before = draftIn(transaction.startState);
    return before === undefined ? hunks : updateHunks(hunks, before, transaction);
  },
});

/** Stores the hunks of an editor, as its draft is edited. */
export function trackHunks(hunks: readonly Hunk[]): Extension {
  return hunksField.init(() => hunks);
}

/** The undecided hunks, in order. */
export function pendingHunks(state: EditorState): readonly Hunk[] {
  return state.field(hunksField, false) ?? [];
}

/** The hunks of a draft. */
export function hunksOf({ base, result, conflicts }: Draft): readonly Hunk[] {
  if (base.doc.eq(result.doc)) return [];
  return markConflicts(compare(base.doc.toString(), result.doc.toString()), conflicts);
}

function compare(a: string, b: string): readonly Hunk[] {
  return findHunks(a, b).map((range) => toHunk(range, a, b));
}

function markConflicts(hunks: readonly Hunk[], conflicts: readonly Conflict[]): readonly Hunk[] {
  if (conflicts.length === 0) return hunks;
  return hunks.map((hunk) => {
    const own = { from: hunk.fromA, to: hunk.toA };
    return { ...hunk, isConflict: conflicts.some((conflict) => touches(own, conflict)) };
  });
}

function toHunk({ fromA, toA, fromB, toB }: SequenceChange, a: string, b: string): Hunk {
  const text = new HunkText(a.slice(fromA, toA), b.slice(fromB, toB));
  const ends = { endA: endOf(fromA, text.a), endB: endOf(fromB, text.b) };
  return { fromA, toA, fromB, toB, ...ends, isConflict: false, text };
}

function endOf(from: number, text: string): number {
  return from + (text.endsWith("\n") ? text.length - 1 : text.length);
}

function updateHunks(
  hunks: readonly Hunk[],
  before: Draft,
  transaction: Transaction,
): readonly Hunk[] {
  const after = draftIn(transaction.state);
  if (after === undefined) return hunks;
  if (transaction.effects.some((effect) => effect.is(replaceDraft))) return hunksOf(after);
  const sides: { a: Side; b: Side } = {
    a: { doc: before.base.doc, changes: baseChangesOf(transaction) },
    b: {
      doc: before.result.doc,
      changes: transaction.docChanged ? transaction.changes : undefined,
    },
  };
  const changed = windowOf(hunks, sides);
  if (changed === undefined) return hunks;
  const { fromA, toA, fromB, toB, first, end } = changed;
  const grown = {
    a: growth(before.base.doc, after.base.doc),
    b: growth(before.result.doc, after.result.doc),
  };
  const within = compare(
    linesBetween(after.base.doc, fromA, toA + grown.a),
    linesBetween(after.result.doc, fromB, toB + grown.b),
  );
  return [
    ...hunks.slice(0, first),
    ...markConflicts(
      within.map((hunk) => move(hunk, fromA, fromB)),
      after.conflicts,
    ),
    ...hunks.slice(end).map((hunk) => move(hunk, grown.a, grown.b)),
  ];
}

function growth(before: Text, after: Text): number {
  return after.length - before.length;
}

function move(hunk: Hunk, a: number, b: number): Hunk {
  if (a === 0 && b === 0) return hunk;
  return {
    ...hunk,
    ...{ fromA: hunk.fromA + a, toA: hunk.toA + a, endA: hunk.endA + a },
    ...{ fromB: hunk.fromB + b, toB: hunk.toB + b, endB: hunk.endB + b },
  };
}
