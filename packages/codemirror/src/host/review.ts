import { history, historyKeymap } from "@codemirror/commands";
import type { Extension, Text } from "@codemirror/state";
import { type EditorView, keymap, ViewPlugin } from "@codemirror/view";
import { PageReview, type ReviewContext } from "@idewire/core/page";
import { createDraft } from "../create-draft.ts";
import { decide, type HunkDecision, hunkAt } from "../decide.ts";
import { type Draft, textOfDraft } from "../draft.ts";
import { draftOf, editDraft } from "../draft-field.ts";
import { showHiddenCharacters } from "../hidden-characters.ts";
import type { RenderControls } from "../review/deleted-lines.ts";
import { describePlace } from "../review/place.ts";
import { unifiedReview } from "../unified-review.ts";

/** A pending diff. */
export interface Review extends PageReview {
  /** The document of the editor that shows the review. */
  readonly doc: Text;
  /**
   * Its extension: changes marked, a button per hunk, hidden characters visible, history. The proposal may be
   * edited. An editor that is destroyed without an answer leaves the diff pending; a later one, with `doc` and
   * `extension` read again, continues from the same state. Destroy the editor when `signal` is aborted.
   */
  readonly extension: Extension;
}

export class CodeMirrorReview extends PageReview implements Review {
  #draft: Draft;
  #view: EditorView | undefined;

  constructor(context: ReviewContext) {
    super(context);
    this.#draft = createDraft(context.original, context.request.proposed);
  }

  get doc(): Text {
    return this.#currentDraft.result.doc;
  }

  get extension(): Extension {
    const draft = this.#currentDraft;
    return [
      ...[history(), keymap.of(historyKeymap), showHiddenCharacters, editDraft(draft)],
      unifiedReview({ draft, renderControls, ondecide: decideAt }),
      ViewPlugin.define((view) => {
        this.#view = view;
        return { destroy: () => this.#detach(view) };
      }),
    ];
  }

  override get text(): string {
    return textOfDraft(this.#currentDraft);
  }

  get #currentDraft(): Draft {
    return this.#view === undefined ? this.#draft : draftOf(this.#view.state);
  }

  #detach(view: EditorView): void {
    if (this.#view !== view) return;
    this.#draft = draftOf(view.state);
    this.#view = undefined;
  }
}

function decideAt(decision: HunkDecision, at: number, view: EditorView): void {
  const hunk = hunkAt(view.state, at);
  if (hunk !== undefined) view.dispatch(decide(view.state, hunk, decision));
}

function renderControls(...[place, onpress]: Parameters<RenderControls>): readonly HTMLElement[] {
  return (["accept", "reject"] as const).map((decision) => {
    const button = document.createElement("button");
    const text = decision === "accept" ? "Accept" : "Reject";
    button.type = "button";
    button.name = decision;
    button.textContent = text;
    button.ariaLabel = `${text} ${describePlace(place)}`;
    // The editor holds the focus.
    button.addEventListener("mousedown", (event) => event.preventDefault());
    button.addEventListener("click", () => onpress(decision, button));
    return button;
  });
}
