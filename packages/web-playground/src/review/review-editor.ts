import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { draftOf, editDraft, textOfDraft } from "@idewire/codemirror";
import { showHiddenCharacters } from "@idewire/codemirror/hidden-characters";
import {
  createDraft,
  decide,
  describePlace,
  type HunkDecision,
  type HunkPlace,
  hunkAt,
  pendingHunks,
} from "@idewire/codemirror/internal";
import { unifiedReview } from "@idewire/codemirror/internal/unified-review";
import { showHiddenInLine } from "@idewire/core/internal";
import { languageOf } from "../editor/languages.ts";
import { codeTheme } from "../editor/theme.ts";
import { typedOver } from "../editor/typed-over.ts";

/** A diff to review. */
export interface ReviewEditorOptions {
  readonly path: string;
  readonly original: string;
  readonly proposed: string;
  /** The saved draft; the proposed text if left out. */
  readonly draft?: string | undefined;
  readonly readOnly: boolean;
  /** Called with the number of undecided hunks, first immediately. */
  readonly onhunks: (count: number) => void;
}

/** An open review: the person may edit the proposed text, and accept or reject each hunk. */
export interface ReviewEditor {
  /** The text that would be accepted. */
  readonly text: string;
  focus(): void;
  destroy(): void;
}

/** Opens a review in a shadow root. */
export function createReviewEditor(root: ShadowRoot, options: ReviewEditorOptions): ReviewEditor {
  const { path, original, proposed, readOnly, onhunks } = options;
  const draft = createDraft(original, options.draft ?? proposed);
  const view: EditorView = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: draft.result.doc,
      extensions: [
        ...[lineNumbers(), history(), EditorView.lineWrapping, languageOf(path), codeTheme],
        ...[EditorState.readOnly.of(readOnly), EditorView.editable.of(!readOnly)],
        EditorView.contentAttributes.of({
          "aria-label": `Proposed text of ${showHiddenInLine(path)}`,
          tabindex: "0",
        }),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        editDraft(draft),
        ...[showHiddenCharacters, typedOver],
        EditorState.phrases.of({ "$ unchanged lines": "Unfold $ lines" }),
        EditorView.editorAttributes.of(oneHunk()),
        unifiedReview({
          draft,
          fold: { margin: 3, minSize: 8 },
          renderControls: readOnly ? undefined : createButtons,
          ondecide(decision, at, view) {
            const hunk = hunkAt(view.state, at);
            if (hunk !== undefined) view.dispatch(decide(view.state, hunk, decision));
          },
        }),
        EditorView.updateListener.of(({ state }) => onhunks(pendingHunks(state).length)),
      ],
    }),
  });
  onhunks(pendingHunks(view.state).length);
  const [first] = pendingHunks(view.state);
  if (first !== undefined) {
    // The first hunk is scrolled into view; it may end behind the last line.
    const at = Math.min(first.fromB, view.state.doc.length);
    view.dispatch({ effects: EditorView.scrollIntoView(at, { y: "center" }) });
  }
  return {
    get text() {
      return textOfDraft(draftOf(view.state));
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

/** Marks a review that started with one hunk, whose answer is that of the whole. */
function oneHunk(): (view: EditorView) => Record<string, string> {
  let hadSeveral = false;
  return ({ state }) => {
    hadSeveral ||= pendingHunks(state).length > 1;
    return { class: hadSeveral ? "" : "cm-one-hunk" };
  };
}

/** The buttons of a hunk. */
function createButtons(
  place: HunkPlace,
  onpress: (decision: HunkDecision, button: HTMLElement) => void,
): readonly HTMLElement[] {
  return (["accept", "reject"] as const).map((decision) => {
    const button = document.createElement("button");
    const text = decision === "accept" ? "Accept" : "Reject";
    button.name = decision;
    button.textContent = text;
    button.ariaLabel = `${text} ${describePlace(place)}`;
    button.addEventListener("mousedown", (event) => event.preventDefault());
    button.addEventListener("click", () => onpress(decision, button));
    return button;
  });
}
