import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import {
  acceptChunk,
  getChunks,
  goToNextChunk,
  goToPreviousChunk,
  rejectChunk,
  unifiedMergeView,
} from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { languageOf } from "./languages.ts";
import { codeTheme } from "./theme.ts";

/** A proposal to show. */
export interface ReviewEditorOptions {
  readonly path: string;
  readonly original: string;
  readonly proposed: string;
  readonly readOnly: boolean;
  /** How many changes are left to decide on; called at once as well. */
  readonly onchunks: (count: number) => void;
}

/** A proposal on the screen: the person may change it, and take or leave each part. */
export interface ReviewEditor {
  /** What is on the screen: what is accepted, when it is. */
  readonly text: string;
  next(): void;
  previous(): void;
  /** Decides on the change at the cursor. */
  decide(accept: boolean): void;
  focus(): void;
  destroy(): void;
}

/** Opens a review in a shadow root. */
export function createReviewEditor(root: ShadowRoot, options: ReviewEditorOptions): ReviewEditor {
  const { path, original, proposed, readOnly, onchunks } = options;
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: proposed,
      extensions: [
        ...[lineNumbers(), history(), EditorView.lineWrapping, languageOf(path), codeTheme],
        ...[EditorState.readOnly.of(readOnly), EditorView.editable.of(!readOnly)],
        EditorView.contentAttributes.of({
          "aria-label": `Proposed text of ${path}`,
          tabindex: "0",
        }),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        unifiedMergeView({
          original,
          mergeControls: !readOnly,
          collapseUnchanged: { margin: 3, minSize: 8 },
          // A diff of two long texts must not freeze the page.
          diffConfig: { scanLimit: 500, timeout: 200 },
        }),
        EditorView.updateListener.of(({ state }) => onchunks(countChunks(state))),
      ],
    }),
  });
  onchunks(countChunks(view.state));
  const [first] = getChunks(view.state)?.chunks ?? [];
  if (first !== undefined) {
    // What is asked about is seen without looking for it; a chunk may end behind the last line.
    const at = Math.min(first.fromB, view.state.doc.length);
    view.dispatch({ effects: EditorView.scrollIntoView(at, { y: "center" }) });
  }
  return {
    get text() {
      return view.state.doc.toString();
    },
    next: () => void goToNextChunk(view),
    previous: () => void goToPreviousChunk(view),
    decide: (accept) => void (accept ? acceptChunk(view) : rejectChunk(view)),
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

function countChunks(state: EditorState): number {
  return getChunks(state)?.chunks.length ?? 0;
}
