import { history, historyField, invertedEffects, isolateHistory } from "@codemirror/commands";
import { EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { type Draft, draftOf, editDraft, replaceDraft } from "@idewire/codemirror";
import type { CurrentText, FileTexts } from "../current-text.ts";

/** The steps that can be undone and redone in an editor; only CodeMirror knows their form. */
export interface UndoSteps {
  readonly value: unknown;
}

/** The text that a proposal is compared with, and the texts on disk and in an editor when it was read. */
export interface Compared {
  readonly current: CurrentText;
  readonly before: FileTexts;
}

/** A draft, the text that it is compared with, and its undo history. */
export interface DraftState {
  readonly draft: Draft;
  readonly compared: Compared | undefined;
  readonly undoSteps: UndoSteps | undefined;
}

const compareWith = StateEffect.define<Compared | undefined>();

const comparedField = StateField.define<Compared | undefined>({
  create: () => undefined,
  update: (compared, { effects }) =>
    effects.reduce((last, effect) => (effect.is(compareWith) ? effect.value : last), compared),
});

/** Stores in an editor, through undo and redo, the text that its draft is compared with. */
function comparedWith(compared: Compared | undefined): Extension {
  return [
    comparedField.init(() => compared),
    invertedEffects.of(({ effects, startState }) =>
      effects.some((effect) => effect.is(compareWith))
        ? [compareWith.of(startState.field(comparedField))]
        : [],
    ),
  ];
}

/** Continues a draft in an editor, with its undo history. */
export function continueDraft({ draft, compared, undoSteps }: DraftState): Extension {
  return [editDraft(draft), comparedWith(compared), carriedOver(undoSteps), history()];
}

function carriedOver(steps: UndoSteps | undefined): Extension {
  return steps?.value === undefined ? [] : historyField.init(() => steps.value);
}

/** The draft in an editor. */
export function draftStateOf(state: EditorState): DraftState {
  return {
    draft: draftOf(state),
    compared: state.field(comparedField, false),
    undoSteps: { value: state.field(historyField, false) },
  };
}

/** Replaces a draft and the text that it is compared with, as one undo step. */
export function replaceAsStep(
  before: DraftState,
  { draft, compared }: Omit<DraftState, "undoSteps">,
): DraftState {
  const { doc } = before.draft.result;
  const state = EditorState.create({ doc, extensions: continueDraft(before) });
  const step = state.update({
    changes: { from: 0, to: doc.length, insert: draft.result.doc },
    effects: [replaceDraft.of(draft), compareWith.of(compared)],
    annotations: isolateHistory.of("full"),
  });
  return draftStateOf(step.state);
}
