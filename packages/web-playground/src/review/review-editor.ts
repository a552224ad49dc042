import {
  defaultKeymap,
  history,
  historyField,
  historyKeymap,
  redo,
  undo,
} from "@codemirror/commands";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { type Draft, draftOf, editDraft, textOfDraft } from "@idewire/codemirror";
import { showHiddenCharacters } from "@idewire/codemirror/hidden-characters";
import {
  createDraft,
  decide,
  goToHunk,
  type Hunk,
  type HunkDecision,
  hunkAt,
  hunkAtCursor,
  hunksOf,
  pendingHunks,
  selectedLines,
  showHunk,
} from "@idewire/codemirror/internal";
import { SideBySide } from "@idewire/codemirror/internal/side-by-side";
import { unifiedReview } from "@idewire/codemirror/internal/unified-review";
import { showHiddenInLine } from "@idewire/core/internal";
import { findConflicts } from "@idewire/core/internal/hunks";
import { languageOf } from "../editor/languages.ts";
import { codeTheme } from "../editor/theme.ts";
import { typedOver } from "../editor/typed-over.ts";
import {
  AFTERWARDS,
  ANSWERS,
  controlColumn,
  createButtons,
  enableButtons,
} from "./hunk-controls.ts";
import { linesOfProposal } from "./lines-of-proposal.ts";
import { type ReviewState, stateOf } from "./review-state.ts";

export type ReviewLayout = "unified" | "side-by-side";

/** A diff to review. */
export interface ReviewEditorOptions {
  readonly path: string;
  readonly original: string;
  readonly proposed: string;
  /** The text of the file when this was proposed, if that was another one. */
  readonly base?: string | undefined;
  /** The saved draft; the proposed text if left out. */
  readonly draft?: string | undefined;
  readonly layout: ReviewLayout;
  readonly readOnly: boolean;
  /**
   * Carries out a decision about a hunk, given by its place, in place of this editor; resolves to whether it was.
   * The hunks of such a review are retained or undone, not accepted or rejected.
   */
  readonly ondecide?: (decision: HunkDecision, hunk: number) => Promise<boolean>;
  /** Whether hunks can be decided now; always if left out. */
  readonly canDecide?: () => boolean;
  /** Called with the remaining hunks, first immediately. */
  readonly onstate: (state: ReviewState) => void;
}

/** An open review: the person may edit the proposed text, and accept or reject each hunk. */
export interface ReviewEditor {
  /** The text that would be accepted. */
  readonly text: string;
  /** The selected lines of the text that the agent has proposed or written, 1-based and inclusive. */
  selectedLines(): { readonly line: number; readonly endLine: number };
  /** Selects the next or the previous hunk. */
  goTo(which: "next" | "previous"): void;
  /** Decides the hunk at the cursor; without one there, goes to the next hunk. */
  decide(decision: HunkDecision): void;
  /** Undoes the last decision or edit, or redoes it. */
  step(which: "undo" | "redo"): void;
  /** Whether the person types here. */
  hasFocus(): boolean;
  setLayout(layout: ReviewLayout): void;
  /** Enables or disables the buttons of the hunks, by `canDecide`. */
  updateButtons(): void;
  focus(): void;
  destroy(): void;
}

/** The editors of a layout. */
interface OpenLayout {
  readonly view: EditorView;
  destroy(): void;
}

/** The state that is carried over to another layout. */
interface Continued {
  readonly draft: Draft;
  readonly hunks: readonly Hunk[];
  /** The undo history; only CodeMirror knows its form. */
  readonly steps?: unknown;
}

const FOLD = { margin: 3, minSize: 8 };

/** Narrower than this, in CSS pixels, two texts side by side are unreadable; the style sheet hides the button, too. */
const MIN_SIDE_BY_SIDE = 560;

/** Opens a review in a shadow root, in several tasks, so that a long text does not delay what the person does. */
export async function createReviewEditor(
  root: ShadowRoot,
  options: ReviewEditorOptions,
): Promise<ReviewEditor> {
  const { base, original: current, draft: proposed = options.proposed } = options;
  const conflicts = base === undefined ? [] : findConflicts({ base, current, proposed });
  const draft = createDraft(current, proposed, conflicts);
  await nextTask();
  const hunks = hunksOf(draft);
  await nextTask();
  return openReview(root, options, { draft, hunks });
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => window.setTimeout(resolve));
}

function openReview(
  root: ShadowRoot,
  options: ReviewEditorOptions,
  begun: Continued,
): ReviewEditor {
  const { onstate, canDecide = always } = options;
  root.adoptedStyleSheets.push(controlColumn());
  const open = (wanted: ReviewLayout, continued: Continued): OpenLayout => {
    const opened =
      wanted === "side-by-side" && isWide
        ? openSideBySide(root, options, continued)
        : openUnified(root, options, continued);
    onstate(stateOf(opened.view.state));
    const [first] = pendingHunks(opened.view.state);
    if (first !== undefined) showHunk(opened.view, first);
    return opened;
  };
  let { layout } = options;
  let isWide = root.host.clientWidth >= MIN_SIDE_BY_SIDE;
  let opened = open(layout, begun);
  const openAgain = (): void => {
    const { state } = opened.view;
    const hadFocus = opened.view.hasFocus;
    opened.destroy();
    const steps = state.field(historyField, false);
    opened = open(layout, { draft: draftOf(state), hunks: pendingHunks(state), steps });
    if (hadFocus) opened.view.focus();
  };
  const observer = new ResizeObserver(() => {
    const wasWide = isWide;
    isWide = root.host.clientWidth >= MIN_SIDE_BY_SIDE;
    if (layout === "side-by-side" && isWide !== wasWide) openAgain();
  });
  observer.observe(root.host);
  return {
    get text() {
      return textOfDraft(draftOf(opened.view.state));
    },
    selectedLines() {
      const { state } = opened.view;
      const lines = selectedLines(state);
      // Idewire, too, has the text after each decision that it carries out.
      if (options.ondecide !== undefined) return lines;
      const draft = textOfDraft(draftOf(state));
      return linesOfProposal(lines, { draft, proposed: options.proposed });
    },
    goTo(which) {
      goToHunk(opened.view, which);
      opened.view.focus();
    },
    decide(decision) {
      if (!isDecidable(options) || !canDecide()) return;
      const { view } = opened;
      const hunk = hunkAtCursor(view.state);
      if (hunk === undefined) goToHunk(view, "next");
      else shownHunks(options).ondecide(decision, hunk.fromB, view);
    },
    step: (which) => void (which === "undo" ? undo : redo)(opened.view),
    hasFocus: () => opened.view.hasFocus,
    setLayout(next) {
      layout = next;
      openAgain();
    },
    updateButtons: () => enableButtons(root, canDecide()),
    focus: () => opened.view.focus(),
    destroy() {
      observer.disconnect();
      opened.destroy();
    },
  };
}

function openUnified(
  root: ShadowRoot,
  options: ReviewEditorOptions,
  continued: Continued,
): OpenLayout {
  const view = new EditorView({
    ...{ root, parent: root },
    state: EditorState.create({
      doc: continued.draft.result.doc,
      extensions: [
        resultExtension(options, continued),
        unifiedReview({
          ...shownHunks(options),
          draft: continued.draft,
          hunks: continued.hunks,
        }),
      ],
    }),
  });
  return { view, destroy: () => view.destroy() };
}

function openSideBySide(
  root: ShadowRoot,
  options: ReviewEditorOptions,
  continued: Continued,
): OpenLayout {
  const editors = new SideBySide({
    ...shownHunks(options),
    draft: continued.draft,
    hunks: continued.hunks,
    baseExtension: [sharedExtension(options, "Current"), readOnly],
    resultExtension: resultExtension(options, continued),
    ...{ parent: root, root },
  });
  return { view: editors.result, destroy: () => editors.destroy() };
}

const readOnly: Extension = [EditorState.readOnly.of(true), EditorView.editable.of(false)];

const always = (): boolean => true;

function isDecidable({ readOnly, ondecide }: ReviewEditorOptions): boolean {
  return !readOnly || ondecide !== undefined;
}

function shownHunks(options: ReviewEditorOptions) {
  const { ondecide, canDecide = always } = options;
  const titles = ondecide === undefined ? ANSWERS : AFTERWARDS;
  return {
    fold: FOLD,
    renderControls: isDecidable(options) ? createButtons(titles, canDecide) : undefined,
    ondecide(decision: HunkDecision, at: number, view: EditorView) {
      const hunk = hunkAt(view.state, at);
      if (hunk === undefined) return;
      const place = pendingHunks(view.state).indexOf(hunk);
      const apply = () => {
        const [same] = pendingHunks(view.state).slice(place);
        if (same !== undefined) view.dispatch(decide(view.state, same, decision));
      };
      if (ondecide === undefined) apply();
      else void ondecide(decision, place).then((isDone) => isDone && apply());
    },
  };
}

function sharedExtension({ path }: ReviewEditorOptions, which: string): Extension {
  return [
    ...[lineNumbers(), EditorView.lineWrapping, languageOf(path), codeTheme, showHiddenCharacters],
    EditorView.contentAttributes.of({
      "aria-label": `${which} text of ${showHiddenInLine(path)}`,
      tabindex: "0",
    }),
    EditorState.phrases.of({ "$ unchanged lines": "Unfold $ lines" }),
  ];
}

function resultExtension(options: ReviewEditorOptions, { draft, steps }: Continued): Extension {
  return [
    sharedExtension(options, "Proposed"),
    options.readOnly ? readOnly : [],
    steps === undefined ? [] : historyField.init(() => steps),
    history(),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    editDraft(draft),
    typedOver,
    EditorView.editorAttributes.of(oneHunk()),
    EditorView.updateListener.of(({ state }) => options.onstate(stateOf(state))),
  ];
}

/** Marks a review that started with one hunk, whose answer is that of the whole. */
function oneHunk(): (view: EditorView) => Record<string, string> {
  let hadSeveral = false;
  return ({ state }) => {
    hadSeveral ||= pendingHunks(state).length > 1;
    return { class: hadSeveral ? "" : "cm-one-hunk" };
  };
}
