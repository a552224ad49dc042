import {
  type EditorState,
  type Extension,
  type RangeSet,
  RangeSetBuilder,
  StateEffect,
  StateField,
} from "@codemirror/state";
import { EditorView, GutterMarker } from "@codemirror/view";
import { type Lines, linesAfter } from "@idewire/codemirror";

const setDraft = StateEffect.define<Lines | undefined>();

/** The lines of the new comment, which move with their text. */
const draftLines: StateField<Lines | undefined> = StateField.define<Lines | undefined>({
  create: () => undefined,
  update(lines, { changes, effects, startState: { doc: before }, newDoc: after }) {
    const set = effects.find((effect) => effect.is(setDraft));
    if (set !== undefined) return set.value;
    if (lines === undefined || changes.empty) return lines;
    return linesAfter(lines, { before, changes, after });
  },
});

class DraftMark extends GutterMarker {
  override elementClass = "cm-comment-draft";
}

const mark = new DraftMark();

/** A gutter mark on each line of the new comment. */
export function draftMarks(state: EditorState): RangeSet<GutterMarker> {
  const draft = state.field(draftLines);
  const builder = new RangeSetBuilder<GutterMarker>();
  const last = Math.min(draft?.endLine ?? draft?.line ?? 0, state.doc.lines);
  for (let line = draft?.line ?? 1; line <= last; line += 1) {
    const { from } = state.doc.line(line);
    builder.add(from, from, mark);
  }
  return builder.finish();
}

/** Tracks the lines of the new comment; `onmove` is called when they have moved. */
export function followDraft(onmove: (lines: Lines) => void): Extension {
  return [
    draftLines,
    EditorView.updateListener.of(({ state, startState, docChanged }) => {
      const before = startState.field(draftLines, false);
      const now = state.field(draftLines);
      if (!docChanged || before === undefined || now === undefined) return;
      if (before.line !== now.line || before.endLine !== now.endLine) onmove(now);
    }),
  ];
}

/** Marks the lines of the new comment; undefined removes the marks. */
export function showDraft(view: EditorView, lines: Lines | undefined): void {
  if (view.state.field(draftLines, false) === lines) return;
  view.dispatch({ effects: setDraft.of(lines) });
}
