import { redo, redoDepth, undo, undoDepth } from "@codemirror/commands";
import { EditorView, type ViewUpdate } from "@codemirror/view";
import { type Draft, draftOf } from "@idewire/codemirror";
import {
  decide,
  goToHunk,
  type HunkDecision,
  hunkAt,
  hunkAtCursor,
  pendingHunks,
  selectedLines,
  showHunk,
} from "@idewire/codemirror/internal";
import { texts } from "../../texts/index.ts";
import { type DraftState, draftStateOf } from "../editor/compared-with.ts";
import {
  createDiffEditor,
  type DiffEditor,
  type RenderControls,
  type ReviewLayout,
} from "../editor/diff-editor.ts";
import { addButton } from "./controls.ts";

export interface DiffPaneOptions {
  readonly state: DraftState;
  readonly layout: ReviewLayout;
  readonly folded: boolean;
  readonly readOnly: boolean;
  /**
   * Carries out a decision about a hunk, given by its place, in place of this pane: the text is written already, and
   * its hunks are kept or undone.
   */
  readonly ondecide?: (decision: HunkDecision, hunk: number) => void;
  /** For screen readers. */
  readonly label: string;
  /** Called when the text or the decisions change. */
  readonly onchange: (state: DraftState) => void;
}

/** Narrower than this, two texts side by side are unreadable. */
const MIN_SIDE_BY_SIDE_PX = 560;

/** The two texts of a draft, in either layout, with the controls of each hunk. */
export class DiffPane {
  readonly dom: HTMLElement;
  readonly #options: DiffPaneOptions;
  #layout: ReviewLayout;
  #shown: ReviewLayout;
  #folded: boolean;
  #editor: DiffEditor;
  readonly #observer: ResizeObserver;
  /** Updates before this is set are not changes by the person. */
  #isReady = false;

  constructor(parent: HTMLElement, options: DiffPaneOptions) {
    this.#options = options;
    this.#layout = options.layout;
    this.#folded = options.folded;
    this.dom = parent.createDiv({
      cls: "idewire-diff",
      attr: { tabindex: "0", role: "region", "aria-label": options.label },
    });
    this.#shown = this.#fittingLayout();
    this.#editor = this.#create(options.state);
    this.#showFirst();
    this.#isReady = true;
    // Deferred: drawing in the observer itself would trigger it again.
    this.#observer = new ResizeObserver(
      () => void this.dom.win.requestAnimationFrame(() => this.#fit()),
    );
    this.#observer.observe(this.dom);
  }

  get draft(): Draft {
    return draftOf(this.#editor.view.state);
  }

  /** The number of undecided hunks. */
  get pending(): number {
    return pendingHunks(this.#editor.view.state).length;
  }

  /** How many of them both sides have changed. */
  get conflicts(): number {
    return pendingHunks(this.#editor.view.state).filter(({ isConflict }) => isConflict).length;
  }

  /** The selected lines of the result, 1-based and inclusive. */
  get selectedLines(): ReturnType<typeof selectedLines> {
    return selectedLines(this.#editor.view.state);
  }

  /** Whether a decision or an edit can be undone. */
  get canUndo(): boolean {
    return undoDepth(this.#editor.view.state) > 0;
  }

  /** Undoes the last decision or edit, or redoes it. */
  step(which: "undo" | "redo"): void {
    const { view } = this.#editor;
    const depth = which === "undo" ? undoDepth : redoDepth;
    if (depth(view.state) > 0) (which === "undo" ? undo : redo)(view);
  }

  focus(): void {
    this.dom.focus({ preventScroll: true });
  }

  setLayout(layout: ReviewLayout): void {
    this.#layout = layout;
    this.#fit();
  }

  setFolded(folded: boolean): void {
    if (folded === this.#folded) return;
    this.#folded = folded;
    this.#recreate();
  }

  /** The pane was moved to another window. */
  setRoot(root: Document): void {
    this.#editor.setRoot(root);
  }

  goTo(which: "next" | "previous"): void {
    goToHunk(this.#editor.view, which);
  }

  /** Decides the hunk at the cursor; without one there, goes to the next hunk. */
  decideAtCursor(decision: HunkDecision): void {
    if (this.#options.readOnly) return;
    const hunk = hunkAtCursor(this.#editor.view.state);
    if (hunk === undefined) this.goTo("next");
    else this.#decide(decision, hunk.fromB);
  }

  destroy(): void {
    this.#observer.disconnect();
    this.#editor.destroy();
    this.dom.remove();
  }

  #decide(decision: HunkDecision, at: number): void {
    const { view } = this.#editor;
    const hunk = hunkAt(view.state, at);
    if (hunk === undefined) return;
    const { ondecide } = this.#options;
    if (ondecide !== undefined) {
      ondecide(decision, pendingHunks(view.state).indexOf(hunk));
      return;
    }
    view.dispatch(decide(view.state, hunk, decision));
    const hunks = pendingHunks(view.state);
    const next = hunks.find(({ fromB }) => fromB >= hunk.fromB) ?? hunks[0];
    if (next !== undefined) showHunk(view, next);
  }

  #showFirst(): void {
    const { view } = this.#editor;
    const [first] = pendingHunks(view.state);
    if (first !== undefined) showHunk(view, first);
  }

  /** A pane that is too narrow for two texts shows the unified layout. */
  #fit(): void {
    if (!this.dom.isConnected) return;
    const layout = this.#fittingLayout();
    if (layout === this.#shown) return;
    this.#shown = layout;
    this.#recreate();
  }

  #fittingLayout(): ReviewLayout {
    const { clientWidth } = this.dom;
    const isNarrow = clientWidth > 0 && clientWidth < MIN_SIDE_BY_SIDE_PX;
    return isNarrow ? "unified" : this.#layout;
  }

  #recreate(): void {
    const state = draftStateOf(this.#editor.view.state);
    const { head } = this.#editor.view.state.selection.main;
    this.#editor.destroy();
    this.dom.empty();
    this.#editor = this.#create(state);
    const effects = EditorView.scrollIntoView(head, { y: "center" });
    this.#editor.view.dispatch({ selection: { anchor: head }, effects });
  }

  #create(state: DraftState): DiffEditor {
    const { readOnly } = this.#options;
    this.dom.toggleClass("is-read-only", readOnly);
    this.dom.toggleClass("is-side-by-side", this.#shown === "side-by-side");
    const words = {
      current: readOnly ? texts.review.before : texts.review.current,
      proposed: readOnly ? texts.review.proposedPast : texts.review.proposed,
      phrases: { "$ unchanged lines": texts.review.folded },
    };
    if (this.#shown === "side-by-side") this.#addHeadings(words.current, words.proposed);
    return createDiffEditor({
      state,
      layout: this.#shown,
      readOnly,
      hasControls: !readOnly || this.#options.ondecide !== undefined,
      folded: this.#folded,
      parent: this.dom,
      words,
      renderControls: (...args) => this.#renderControls(...args),
      onupdate: (update) => this.#onupdate(update),
      ondecide: (decision, at) => this.#decide(decision, at),
    });
  }

  #addHeadings(current: string, proposed: string): void {
    const headings = this.dom.createDiv({ cls: "idewire-diff-headings" });
    headings.createDiv({ text: current });
    headings.createDiv({ text: proposed });
  }

  #renderControls(...[place, onpress]: Parameters<RenderControls>): HTMLElement {
    const controls = createDiv({ cls: "idewire-change-controls" });
    const words = this.#options.ondecide === undefined ? texts.review : texts.edits;
    for (const decision of ["accept", "reject"] as const) {
      addButton(controls, {
        icon: decision === "accept" ? "check" : "x",
        text: words[decision],
        label: words[`${decision}Place`](place),
        cls: `idewire-${decision}`,
        onclick: (button) => onpress(decision, button),
      });
    }
    // The editor holds the focus.
    controls.addEventListener("mousedown", (event) => event.preventDefault());
    return controls;
  }

  #onupdate({ docChanged, transactions, state }: ViewUpdate): void {
    const isChange = docChanged || transactions.some(({ effects }) => effects.length > 0);
    if (isChange && this.#isReady) this.#options.onchange(draftStateOf(state));
  }
}
