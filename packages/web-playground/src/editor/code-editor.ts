import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Annotation, EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  type ViewUpdate,
} from "@codemirror/view";
import {
  draftOf,
  draftOfText,
  editDraft,
  minimalChange,
  rangeOf,
  replaceDraft,
  textOfDraft,
  toMarkers,
} from "@idewire/codemirror";
import { showHiddenCharacters } from "@idewire/codemirror/hidden-characters";
import type { Diagnostic, Range } from "@idewire/core";
import { showHiddenInLine } from "@idewire/core/internal";
import { type Signal, signal } from "@preact/signals";
import { languageOf } from "./languages.ts";
import { codeTheme } from "./theme.ts";
import { typedOver } from "./typed-over.ts";

/** The file of an editor, and its listeners. */
export interface CodeEditorOptions {
  readonly path: string;
  readonly text: string;
  readonly readOnly: boolean;
  /** The person changed the text. */
  readonly onchange: (change: { readonly before: string; readonly text: string }) => void;
  /** The person selected something, or ended the selection. */
  readonly onselect: (range: Range) => void;
  readonly onsave: () => void;
}

/** An editor of one file; its creator destroys it. */
export interface CodeEditor {
  setText(text: string): void;
  setDiagnostics(diagnostics: readonly Diagnostic[]): void;
  focus(): void;
  destroy(): void;
}

/** The open editor, to which comments are added later. */
export const openEditor: Signal<{ readonly path: string; readonly view: EditorView } | undefined> =
  signal(undefined);

/** Marks a change that is not the person's. */
const fromOutside = Annotation.define<boolean>();

/** Opens an editor in a shadow root: its style sheets pass the page's policy there, and only there. */
export function createCodeEditor(root: ShadowRoot, options: CodeEditorOptions): CodeEditor {
  const { path, text } = options;
  const draft = draftOfText(text);
  let shown = textOfDraft(draft);
  const onUpdate = (update: ViewUpdate): void => {
    if (update.transactions.some((one) => one.annotation(fromOutside) === true)) return;
    if (update.docChanged) {
      const before = shown;
      shown = textOfDraft(draftOf(update.state));
      options.onchange({ before, text: shown });
    }
    reportSelection(update, options);
  };
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: draft.result.doc,
      extensions: [
        editDraft(draft),
        extensionsFor(options),
        EditorView.updateListener.of(onUpdate),
      ],
    }),
  });
  openEditor.value = { path, view };
  return {
    setText(next) {
      if (shown === next) return;
      shown = next;
      const other = draftOfText(next);
      view.dispatch({
        changes: minimalChange(view.state.doc, other.result.doc),
        effects: replaceDraft.of(other),
        annotations: fromOutside.of(true),
      });
    },
    setDiagnostics(diagnostics) {
      const marks = toMarkers(view.state.doc, diagnostics);
      view.dispatch(setDiagnostics(view.state, marks), { annotations: fromOutside.of(true) });
    },
    focus: () => view.focus(),
    destroy() {
      if (openEditor.peek()?.view === view) openEditor.value = undefined;
      view.destroy();
    },
  };
}

function extensionsFor({ path, readOnly, onsave }: CodeEditorOptions): Extension {
  const save = (): boolean => {
    onsave();
    return true;
  };
  return [
    ...[lineNumbers(), lintGutter(), drawSelection(), highlightActiveLine(), history()],
    ...[showHiddenCharacters, typedOver, search({ top: true }), highlightSelectionMatches()],
    ...[EditorView.lineWrapping, languageOf(path), codeTheme],
    ...[EditorState.readOnly.of(readOnly), EditorView.editable.of(!readOnly)],
    EditorView.contentAttributes.of({
      "aria-label": `Text of ${showHiddenInLine(path)}`,
      tabindex: "0",
    }),
    keymap.of([
      { key: "Mod-s", preventDefault: true, run: save },
      ...[...searchKeymap, ...defaultKeymap, ...historyKeymap],
    ]),
  ];
}

/** A cursor that only moves is not reported; one that ends a selection is. */
function reportSelection(update: ViewUpdate, { onselect }: CodeEditorOptions): void {
  if (!update.selectionSet) return;
  const { anchor, head, empty } = update.state.selection.main;
  if (empty && update.startState.selection.main.empty) return;
  onselect(rangeOf(update.state.doc, Math.min(anchor, head), Math.max(anchor, head)));
}
