import { invertedEffects } from "@codemirror/commands";
import {
  type ChangeSet,
  type EditorState,
  type Extension,
  MapMode,
  StateEffect,
  type StateEffectType,
  StateField,
  type Transaction,
} from "@codemirror/state";
import { addBreaks, breaksBetween, type DraftSide, mapBreaks, type PlacedBreak } from "./breaks.ts";
import type { Conflict, Draft } from "./draft.ts";

/** The parts of a draft other than the document. */
type Beside = Pick<Draft, "base" | "bom" | "conflicts"> & Pick<Draft["result"], "breaks">;

export interface BaseChange {
  readonly changes: ChangeSet;
  /** The breaks of the lines that it inserts. */
  readonly breaks: readonly PlacedBreak[];
}

/** Changes the base: a hunk was accepted, or its acceptance was undone. */
export const changeBase: StateEffectType<BaseChange> = StateEffect.define<BaseChange>();

/** Replaces the whole draft; the same transaction replaces the document. */
export const replaceDraft: StateEffectType<Draft> = StateEffect.define<Draft>();

/** Sets the endings of the line breaks that the same transaction inserts. */
export const writeBreaks: StateEffectType<readonly PlacedBreak[]> = StateEffect.define<
  readonly PlacedBreak[]
>({
  map: (breaks, changes) =>
    breaks.flatMap((one) => {
      const at = changes.mapPos(one.at, 1, MapMode.TrackAfter);
      return at === null ? [] : [{ ...one, at }];
    }),
});

const draftField = StateField.define<Beside>({
  create: () => {
    throw new Error("an editor of a draft starts with editDraft(draft)");
  },
  update(beside, transaction) {
    if (!transaction.docChanged && transaction.effects.length === 0) return beside;
    const { changes, effects, startState } = transaction;
    let { base, bom, breaks, conflicts } = beside;
    if (transaction.docChanged) breaks = mapBreaks({ doc: startState.doc, breaks }, changes);
    for (const effect of effects) {
      if (effect.is(writeBreaks)) breaks = addBreaks(breaks, effect.value);
      else if (effect.is(changeBase)) {
        base = applyToBase(base, effect.value);
        conflicts = conflicts.map((one) => mapConflict(one, effect.value.changes));
      } else if (effect.is(replaceDraft)) {
        ({ base, bom, conflicts } = effect.value);
        ({ breaks } = effect.value.result);
      }
    }
    const isSame = base === beside.base && breaks === beside.breaks && bom === beside.bom;
    return isSame ? beside : { base, bom, breaks, conflicts };
  },
});

/** Outwards, so that the lines that replace those of a conflict belong to it, and after undo they again. */
function mapConflict({ from, to }: Conflict, changes: ChangeSet): Conflict {
  return { from: changes.mapPos(from, -1), to: changes.mapPos(to, 1) };
}

function applyToBase(base: DraftSide, change: BaseChange): DraftSide {
  const mapped = mapBreaks(base, change.changes);
  return { doc: change.changes.apply(base.doc), breaks: addBreaks(mapped, change.breaks) };
}

/** Stores a draft in the editor of its result, through edits, undo and redo. */
export function editDraft({ base, bom, conflicts, result }: Draft): Extension {
  return [
    draftField.init(() => ({ base, bom, conflicts, breaks: result.breaks })),
    invertedEffects.of(invert),
  ];
}

/** The draft in an editor; undefined if it has none. */
export function draftIn(state: EditorState): Draft | undefined {
  return state.field(draftField, false) === undefined ? undefined : draftOf(state);
}

export function draftOf(state: EditorState): Draft {
  const { base, bom, breaks, conflicts } = state.field(draftField);
  return { base, bom, conflicts, result: { doc: state.doc, breaks } };
}

/** The effects that undoing the transaction needs, besides the text. */
function invert({ startState, changes, effects }: Transaction): StateEffect<unknown>[] {
  const before = draftOf(startState);
  const writes = effects.some((effect) => effect.is(writeBreaks) && effect.value.length > 0);
  const lost = lostBreaks(before.result, changes, writes);
  const inverted: StateEffect<unknown>[] = lost.length > 0 ? [writeBreaks.of(lost)] : [];
  for (const effect of effects) {
    if (effect.is(changeBase)) inverted.push(changeBase.of(invertBase(before.base, effect.value)));
    else if (effect.is(replaceDraft)) inverted.push(replaceDraft.of(before));
  }
  return inverted;
}

function invertBase(base: DraftSide, { changes, breaks }: BaseChange): BaseChange {
  const lost = lostBreaks(base, changes, breaks.length > 0);
  return { changes: changes.invert(base.doc), breaks: lost };
}

/** The line breaks that a change deletes; none if all lines end alike before and after. */
function lostBreaks(side: DraftSide, changes: ChangeSet, writes: boolean): readonly PlacedBreak[] {
  if (side.breaks.odd.size === 0 && !writes) return [];
  const lost: PlacedBreak[][] = [];
  changes.iterChangedRanges((from, to) => void lost.push(breaksBetween(side, from, to)), true);
  return lost.flat();
}
