import { defaultKeymap, historyKeymap } from "@codemirror/commands";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, type ViewUpdate } from "@codemirror/view";
import { editDraft } from "@idewire/codemirror";
import { showHiddenCharacters } from "@idewire/codemirror/hidden-characters";
import type { Hunk, HunkDecision, HunkPlace } from "@idewire/codemirror/internal";
import { SideBySide } from "@idewire/codemirror/internal/side-by-side";
import { unifiedReview } from "@idewire/codemirror/internal/unified-review";
import { continueDraft, type DraftState } from "./compared-with.ts";
import { proseStyle } from "./prose-style.ts";

export type ReviewLayout = "unified" | "side-by-side";

/** Creates the buttons of a hunk, together in one element. */
export type RenderControls = (
  place: HunkPlace,
  onpress: (decision: HunkDecision, button: HTMLElement) => void,
) => HTMLElement;

export interface DiffEditorOptions {
  readonly state: DraftState;
  /** The hunks of its draft, if they are known. */
  readonly hunks?: readonly Hunk[] | undefined;
  readonly layout: ReviewLayout;
  readonly readOnly: boolean;
  /** Whether hunks have buttons. */
  readonly hasControls: boolean;
  /** Whether long unchanged parts are folded. */
  readonly folded: boolean;
  readonly parent: HTMLElement;
  /** Labels of the two texts for screen readers, and translations of CodeMirror's phrases. */
  readonly words: {
    readonly current: string;
    readonly proposed: string;
    readonly phrases: Readonly<Record<string, string>>;
  };
  /** Creates the buttons of a hunk. */
  readonly renderControls: RenderControls;
  readonly onupdate: (update: ViewUpdate) => void;
  /** A button of a hunk was pressed; `at` is an offset in the result. */
  readonly ondecide: (decision: HunkDecision, at: number) => void;
}

/** An editor that shows a draft. */
export interface DiffEditor {
  /** The editor of the result: its text is what would be accepted. */
  readonly view: EditorView;
  /** After the editor was moved to another window. */
  setRoot(root: Document): void;
  destroy(): void;
}

const FOLD = { margin: 3, minSize: 6 };

export function createDiffEditor(options: DiffEditorOptions): DiffEditor {
  return options.layout === "unified" ? createUnified(options) : createSideBySide(options);
}

/** The options for hunks in both layouts. */
function shownHunks({ state, hunks, folded, hasControls, ...options }: DiffEditorOptions) {
  const { renderControls, ondecide } = options;
  return {
    ...{ draft: state.draft, hunks },
    fold: folded ? FOLD : undefined,
    renderControls: hasControls
      ? (...args: Parameters<RenderControls>) => [renderControls(...args)]
      : undefined,
    ondecide: (decision: HunkDecision, at: number) => ondecide(decision, at),
  };
}

function createUnified(options: DiffEditorOptions): DiffEditor {
  const { parent } = options;
  const review = unifiedReview({ ...shownHunks(options), inline: true });
  const view: EditorView = new EditorView({
    doc: options.state.draft.result.doc,
    extensions: [resultExtensions(options), review],
    parent,
    root: parent.ownerDocument,
  });
  return { view, setRoot: (root) => view.setRoot(root), destroy: () => view.destroy() };
}

function createSideBySide(options: DiffEditorOptions): DiffEditor {
  const { parent, words } = options;
  const editors = new SideBySide({
    ...shownHunks(options),
    baseExtension: [shared(options), label(words.current), readOnly],
    resultExtension: resultExtensions(options),
    ...{ parent, root: parent.ownerDocument },
  });
  return {
    view: editors.result,
    setRoot: (root) => editors.setRoot(root),
    destroy: () => editors.destroy(),
  };
}

const readOnly: Extension = [EditorState.readOnly.of(true), EditorView.editable.of(false)];

function resultExtensions(options: DiffEditorOptions): Extension {
  const { state, words, onupdate } = options;
  return [
    shared(options),
    label(words.proposed),
    options.readOnly ? [editDraft(state.draft), readOnly] : continueDraft(state),
    keymap.of([...historyKeymap, ...defaultKeymap]),
    EditorView.updateListener.of(onupdate),
  ];
}

function shared({ words, parent }: DiffEditorOptions): Extension {
  return [
    showHiddenCharacters,
    proseStyle,
    EditorView.lineWrapping,
    EditorView.darkTheme.of(parent.ownerDocument.body.classList.contains("theme-dark")),
    EditorState.phrases.of(words.phrases),
  ];
}

function label(text: string): Extension {
  return EditorView.contentAttributes.of({ "aria-label": text, spellcheck: "false" });
}
