import { history, historyKeymap } from "@codemirror/commands";
import type { Extension, Text } from "@codemirror/state";
import { type EditorView, keymap, ViewPlugin } from "@codemirror/view";
import type { DiffRequest } from "@idewire/core";
import { countAddedHidden, type DiffAnswer, describeAddedHidden } from "@idewire/core/internal";
import { createDraft } from "../create-draft.ts";
import { decide, type HunkDecision, hunkAt } from "../decide.ts";
import { type Draft, textOfDraft } from "../draft.ts";
import { draftOf, editDraft } from "../draft-field.ts";
import { describeHiddenChanges } from "../hidden-changes.ts";
import { showHiddenCharacters } from "../hidden-characters.ts";
import type { RenderControls } from "../review/deleted-lines.ts";
import { describePlace } from "../review/place.ts";
import { unifiedReview } from "../unified-review.ts";

/** A diff that waits for the person. */
export interface Review {
  readonly request: DiffRequest;
  /** The text that the proposal is compared with; empty for a new file. */
  readonly original: string;
  /** Warnings that the person must read before accepting, such as hidden characters. */
  readonly notes: readonly string[];
  /** The document of the editor that shows the review. */
  readonly doc: Text;
  /**
   * Its extension: changes marked, a button per hunk, hidden characters visible, history. The proposal may be
   * edited. An editor that is destroyed without an answer leaves the diff pending; a later one, with `doc` and
   * `extension` read again, continues from the same state.
   */
  readonly extension: Extension;
  /** The text that would be accepted now. */
  readonly text: string;
  /** Aborted when the diff is answered or closed, also by the agent: destroy the editor then. */
  readonly signal: AbortSignal;
  /** Accepts {@link text}; false when the diff is no longer pending. */
  accept(): boolean;
  reject(): boolean;
  /** Closes it without a decision. */
  close(): boolean;
}

/** The answers to a review. */
export type AnswerReview = (answer: DiffAnswer) => boolean;

export class CodeMirrorReview implements Review {
  readonly request: DiffRequest;
  readonly original: string;
  readonly #notes: string[] = [];
  readonly #answer: AnswerReview;
  readonly #ended = new AbortController();
  #draft: Draft;
  #view: EditorView | undefined;

  constructor(
    request: DiffRequest,
    { original, answer }: { readonly original: string; readonly answer: AnswerReview },
  ) {
    this.request = request;
    this.original = original;
    this.#answer = answer;
    this.#draft = createDraft(original, request.proposed);
    if (request.outsideWorkspace) this.addNote("The file is outside the workspace folders");
    this.addNote(describeAddedHidden(countAddedHidden(original, request.proposed)));
    for (const change of describeHiddenChanges(original, request.proposed)) this.addNote(change);
  }

  get notes(): readonly string[] {
    return this.#notes;
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

  get text(): string {
    return textOfDraft(this.#currentDraft);
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  accept(): boolean {
    return this.#answer({ kind: "accepted", text: this.text });
  }

  reject(): boolean {
    return this.#answer({ kind: "rejected" });
  }

  close(): boolean {
    return this.#answer({ kind: "closed" });
  }

  /** @param note nothing is added when undefined, or for an existing note */
  addNote(note: string | undefined): void {
    if (note !== undefined && !this.#notes.includes(note)) this.#notes.push(note);
  }

  /** The diff was answered or closed. */
  end(): void {
    this.#ended.abort();
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
