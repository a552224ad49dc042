import {
  type EditorState,
  type Extension,
  type Range,
  StateEffect,
  StateField,
} from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import { pendingHunks } from "./hunks.ts";

/** `margin` unchanged lines stay beside a hunk; fewer than `minSize` lines are not folded. */
export interface FoldOptions {
  readonly margin: number;
  readonly minSize: number;
}

/** Unfolds the lines at a position. */
const unfold = StateEffect.define<number>({ map: (at, changes) => changes.mapPos(at) });

/** Folds long unchanged parts between the hunks; an unfolded part stays so. */
export function foldUnchanged(options: FoldOptions & { readonly side: "A" | "B" }): Extension {
  return StateField.define<DecorationSet>({
    create: (state) => fold(state, options),
    update(folds, { changes, effects, state, startState }) {
      let next = folds.map(changes);
      for (const effect of effects) {
        if (effect.is(unfold)) next = next.update({ filter: (from) => from !== effect.value });
      }
      if (next.size === 0 || pendingHunks(state) === pendingHunks(startState)) return next;
      const hidden = new Set<number>();
      for (const hunk of pendingHunks(state)) {
        const [start, end] = [hunk[`from${options.side}`], hunk[`end${options.side}`]];
        next.between(start, end, (from) => void hidden.add(from));
      }
      return hidden.size === 0 ? next : next.update({ filter: (from) => !hidden.has(from) });
    },
    provide: (field) => EditorView.decorations.from(field),
  });
}

function fold(
  state: EditorState,
  { side, margin, minSize }: FoldOptions & { readonly side: "A" | "B" },
): DecorationSet {
  const { doc } = state;
  const folds: Range<Decoration>[] = [];
  const add = (first: number, last: number) => {
    const lines = last - first + 1;
    if (lines < minSize) return;
    const widget = new Fold(lines);
    folds.push(
      Decoration.replace({ widget, block: true }).range(doc.line(first).from, doc.line(last).to),
    );
  };
  let first = 1;
  for (const hunk of pendingHunks(state)) {
    add(first, doc.lineAt(hunk[`from${side}`]).number - 1 - margin);
    const end = hunk[`to${side}`];
    const after = end > hunk[`end${side}`] || end === hunk[`from${side}`] ? 0 : 1;
    first = doc.lineAt(end).number + after + margin;
  }
  if (folds.length > 0 || pendingHunks(state).length > 0) add(first, doc.lines);
  return Decoration.set(folds);
}

class Fold extends WidgetType {
  readonly #lines: number;

  constructor(lines: number) {
    super();
    this.#lines = lines;
  }

  override eq(other: Fold): boolean {
    return other.#lines === this.#lines;
  }

  override get estimatedHeight(): number {
    return 27;
  }

  override toDOM(view: EditorView): HTMLElement {
    const dom = document.createElement("div");
    dom.className = "cm-collapsedLines";
    dom.setAttribute("role", "button");
    dom.tabIndex = 0;
    dom.textContent = view.state.phrase("$ unchanged lines", this.#lines);
    const open = () => void view.dispatch({ effects: unfold.of(view.posAtDOM(dom)) });
    dom.addEventListener("click", open);
    dom.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      open();
    });
    return dom;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

/** The position whose lines an update unfolds. */
export function unfoldedIn(effects: readonly StateEffect<unknown>[]): readonly number[] {
  return effects.flatMap((effect) => (effect.is(unfold) ? [effect.value] : []));
}

/** Unfolds the lines at a position of an editor. */
export function unfoldAt(at: number): StateEffect<number> {
  return unfold.of(at);
}
