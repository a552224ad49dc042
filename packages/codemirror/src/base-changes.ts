import { originalDocChangeEffect } from "@codemirror/merge";
import { ChangeSet, EditorState, type Extension, type Transaction } from "@codemirror/state";
import { changeBase, draftOf } from "./draft-field.ts";

/** What a transaction does to the base; undefined when nothing. */
function baseChangesOf(transaction: Transaction): ChangeSet | undefined {
  let changes: ChangeSet | undefined;
  for (const effect of transaction.effects) {
    if (!effect.is(changeBase)) continue;
    const next = effect.value.changes;
    changes = changes === undefined ? next : changes.compose(next);
  }
  return changes;
}

/** The unified view has a base of its own: this keeps it the draft's, in undo and redo too. */
export const baseOfUnifiedView: Extension = EditorState.transactionExtender.of((transaction) => {
  const changes = baseChangesOf(transaction);
  if (changes === undefined) return null;
  return { effects: originalDocChangeEffect(transaction.startState, changes) };
});

/** Nothing to compose with: for views that show the base in an editor of its own. */
export function baseChangesIn(transactions: readonly Transaction[], state: EditorState): ChangeSet {
  const { length } = draftOf(state).base.doc;
  return transactions.reduce((all, transaction) => {
    const next = baseChangesOf(transaction);
    return next === undefined ? all : all.compose(next);
  }, ChangeSet.empty(length));
}
