import { type EditorState, type Extension, StateEffect } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { editorAround, selectionOfCell, selectionOfEditor } from "./editor-selection.ts";
import type { SelectionTracker } from "./selection-tracker.ts";
import type { TrackedFile } from "./tracked-selection.ts";

export interface EditorExtensionParts {
  readonly tracker: SelectionTracker;
  /** The file whose whole text is in the editor; undefined for any other editor. */
  readonly fileOf: (state: EditorState) => TrackedFile | undefined;
  /** Whether the editor is the active one, even if the focus is elsewhere. */
  readonly isActive: (view: EditorView) => boolean;
  /** Whether agents receive the selection of this editor. */
  readonly isKnown: (view: EditorView) => boolean;
}

/** The marks may have to change although the editor has not. */
const refresh = StateEffect.define<null>();

const mark = Decoration.mark({ class: "idewire-shared-selection" });

/** Watches the selection of every editor in all windows, and marks the shared one. */
export function createEditorExtension(parts: EditorExtensionParts): Extension {
  const { isKnown } = parts;
  const marks = ViewPlugin.define(
    (view) => ({
      decorations: findMarks(view, isKnown),
      update(update: ViewUpdate) {
        const isRefresh = update.transactions.some(({ effects }) =>
          effects.some((e) => e.is(refresh)),
        );
        if (isRefresh || update.focusChanged || update.selectionSet || update.docChanged) {
          this.decorations = findMarks(update.view, isKnown);
        }
      },
    }),
    { decorations: ({ decorations }) => decorations },
  );
  return [marks, EditorView.updateListener.of((update) => watch(update, parts))];
}

/** Redraws the marks of an editor. Must not be called during an update. */
export function refreshMarks(view: EditorView): void {
  view.dispatch({ effects: refresh.of(null) });
}

function watch(update: ViewUpdate, { tracker, fileOf, isActive }: EditorExtensionParts): void {
  const { view, state } = update;
  if (!update.selectionSet && !update.docChanged && !update.focusChanged) return;
  const isTracked = tracker.now?.origin === view;
  // Only the active pane of a note is marked.
  if (!view.hasFocus && !isTracked && !isActive(view)) return;
  const outer = editorAround(view);
  const file = fileOf((outer ?? view).state);
  if (file === undefined) return;
  const isCell = outer !== undefined;
  const tracked = isCell ? selectionOfCell(view, file) : selectionOfEditor(state, file, view);
  if (tracked !== undefined) tracker.show(tracked);
}

/** While the editor has the focus, the selection itself is visible. */
function findMarks(view: EditorView, isKnown: (view: EditorView) => boolean): DecorationSet {
  if (view.hasFocus || !isKnown(view)) return Decoration.none;
  const ranges = view.state.selection.ranges.filter(({ empty }) => !empty);
  return Decoration.set(ranges.map(({ from, to }) => mark.range(from, to)));
}
