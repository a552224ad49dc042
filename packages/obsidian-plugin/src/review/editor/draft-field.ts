import { invertedEffects } from "@codemirror/commands";
import {
  type ChangeSet,
  type EditorState,
  type Extension,
  StateEffect,
  StateField,
  type Transaction,
} from "@codemirror/state";
import { addBreaks, mapBreaks, oddBetween, type PlacedBreak } from "./breaks.ts";
import type { Draft } from "./draft.ts";

/** What a draft has beside the document. */
type Beside = Pick<Draft, "base" | "bom"> & Pick<Draft["result"], "breaks">;

interface BaseChange {
  readonly changes: ChangeSet;
  /** Of the lines that it writes. */
  readonly breaks: readonly PlacedBreak[];
}

/** Changes what the result is compared with: a change was accepted, or that is undone. */
export const changeBase = StateEffect.define<BaseChange>();

/** Says how breaks are written that the same transaction puts there. */
export const writeBreaks = StateEffect.define<readonly PlacedBreak[]>({
  map: (breaks, changes) => breaks.map((b) => ({ ...b, at: changes.mapPos(b.at, 1) })),
});

const draftField = StateField.define<Beside>({
  create: () => {
    throw new Error("an editor of a draft starts with editDraft(draft)");
  },
  update(beside, transaction) {
    if (!transaction.docChanged && transaction.effects.length === 0) return beside;
    let { base, breaks } = beside;
    if (transaction.docChanged) breaks = mapBreaks(breaks, transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(writeBreaks)) breaks = addBreaks(breaks, effect.value);
      else if (effect.is(changeBase)) base = applyToBase(base, effect.value);
    }
    return base === beside.base && breaks === beside.breaks ? beside : { ...beside, base, breaks };
  },
});

function applyToBase({ doc, breaks }: Draft["base"], change: BaseChange): Draft["base"] {
  const mapped = mapBreaks(breaks, change.changes);
  return { doc: change.changes.apply(doc), breaks: addBreaks(mapped, change.breaks) };
}

/** Keeps a draft in the editor of its result, through every edit, undo and redo. */
export function editDraft({ base, bom, result }: Draft): Extension {
  return [
    draftField.init(() => ({ base, bom, breaks: result.breaks })),
    invertedEffects.of(invert),
  ];
}

export function draftOf(state: EditorState): Draft {
  const { base, bom, breaks } = state.field(draftField);
  return { base, bom, result: { doc: state.doc, breaks } };
}

/** What undoing the transaction has to bring back, beside the text. */
function invert({ startState, changes, effects }: Transaction): StateEffect<unknown>[] {
  const { base, breaks } = startState.field(draftField);
  const lost: PlacedBreak[] = [];
  changes.iterChangedRanges((from, to) => void lost.push(...oddBetween(breaks, from, to)), true);
  const inverted: StateEffect<unknown>[] = [];
  if (lost.length > 0) inverted.push(writeBreaks.of(lost));
  for (const effect of effects) {
    if (effect.is(changeBase)) inverted.push(changeBase.of(invertBase(base, effect.value)));
  }
  return inverted;
}

function invertBase({ doc, breaks }: Draft["base"], { changes }: BaseChange): BaseChange {
  const lost: PlacedBreak[] = [];
  changes.iterChangedRanges((from, to) => void lost.push(...oddBetween(breaks, from, to)), true);
  return { changes: changes.invert(doc), breaks: lost };
}
