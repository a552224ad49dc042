import { defaultKeymap, historyKeymap } from "@codemirror/commands";
import { MergeView } from "@codemirror/merge";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, type ViewUpdate } from "@codemirror/view";
import { editDraft } from "@idewire/codemirror";
import { showHiddenCharacters } from "@idewire/codemirror/hidden-characters";
import {
  baseChangesIn,
  type HunkDecision,
  pendingHunks,
  separateChunks,
} from "@idewire/codemirror/internal";
import { comparison, unifiedReview } from "@idewire/codemirror/internal/unified-review";
import { continueDraft, type DraftState } from "./compared-with.ts";
import { proseStyle } from "./prose-style.ts";

export type ReviewLayout = "unified" | "side-by-side";

/** `onpress` receives the button, from which the editor finds the hunk. */
export type RenderControls = (
  decisions: readonly HunkDecision[],
  onpress: (decision: HunkDecision, button: HTMLElement) => void,
) => HTMLElement;

export interface DiffEditorOptions {
  readonly state: DraftState;
  readonly layout: ReviewLayout;
  readonly readOnly: boolean;
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
  separateChunks();
  return options.layout === "unified" ? createUnified(options) : createSideBySide(options);
}

function createUnified(options: DiffEditorOptions): DiffEditor {
  const { parent, ondecide, readOnly, folded } = options;
  const { draft } = options.state;
  const review = unifiedReview({
    ...{ draft, ondecide, inline: true },
    fold: folded ? FOLD : undefined,
    renderControl: readOnly
      ? undefined
      : (type, onpress) => options.renderControls([type], (_, button) => onpress(button)),
  });
  const view: EditorView = new EditorView({
    doc: draft.result.doc,
    extensions: [resultExtensions(options), review],
    parent,
    root: parent.ownerDocument,
  });
  return { view, setRoot: (root) => view.setRoot(root), destroy: () => view.destroy() };
}

function createSideBySide(options: DiffEditorOptions): DiffEditor {
  const { parent, words } = options;
  const { draft } = options.state;
  const followBase = EditorView.updateListener.of(({ transactions, startState }) => {
    const changes = baseChangesIn(transactions, startState);
    if (!changes.empty) merge.a.dispatch({ changes });
  });
  const renderControls = () =>
    options.renderControls(["accept", "reject"], (decision, button) => {
      const index = button.closest<HTMLElement>("[data-chunk]")?.dataset["chunk"];
      const hunk = index === undefined ? undefined : pendingHunks(merge.b.state)[Number(index)];
      if (hunk !== undefined) options.ondecide(decision, hunk.fromB);
    });
  const merge: MergeView = new MergeView({
    a: { doc: draft.base.doc, extensions: [shared(options), label(words.current), readOnly] },
    b: { doc: draft.result.doc, extensions: [resultExtensions(options), followBase] },
    parent,
    root: parent.ownerDocument,
    gutter: true,
    diffConfig: comparison,
    ...(!options.readOnly && {
      revertControls: "a-to-b" as const,
      renderRevertControl: renderControls,
    }),
    ...(options.folded && { collapseUnchanged: FOLD }),
  });
  return {
    view: merge.b,
    setRoot: (root) => {
      merge.a.setRoot(root);
      merge.b.setRoot(root);
    },
    destroy: () => merge.destroy(),
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
