import { ChangeSet, type EditorState, type Transaction } from "@codemirror/state";
import { changeBase, draftOf } from "./draft-field.ts";

/** The changes of a transaction to the base; undefined if there are none. */
export function baseChangesOf(transaction: Transaction): ChangeSet | undefined {
  let changes: ChangeSet | undefined;
  for (const effect of transaction.effects) {
    if (!effect.is(changeBase)) continue;
    const next = effect.value.changes;
    changes = changes === undefined ? next : changes.compose(next);
  }
  return changes;
}

/** The changes of transactions to the base, for views that show it in its own editor. */
export function baseChangesIn(transactions: readonly Transaction[], state: EditorState): ChangeSet {
  const { length } = draftOf(state).base.doc;
  return transactions.reduce((all, transaction) => {
    const next = baseChangesOf(transaction);
    return next === undefined ? all : all.compose(next);
  }, ChangeSet.empty(length));
}
