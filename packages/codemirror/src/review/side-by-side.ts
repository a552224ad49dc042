import { Annotation, EditorState, type Extension, type Transaction } from "@codemirror/state";
import { EditorView, type ViewUpdate } from "@codemirror/view";
import { baseChangesIn } from "../base-changes.ts";
import type { Draft } from "../draft.ts";
import { firstFrom } from "./changed-window.ts";
import type { DeletedLinesOptions } from "./deleted-lines.ts";
import { diffTheme } from "./diff-theme.ts";
import { type FoldOptions, foldUnchanged, unfoldAt, unfoldedIn } from "./folds.ts";
import { type Hunk, hunksOf, pendingHunks, setHunks, trackHunks } from "./hunks.ts";
import { lineDirections } from "./line-directions.ts";
import { markHunks } from "./marks.ts";
import { placeOf } from "./place.ts";
import { alignEditors, setSpacers, spacers } from "./spacers.ts";

export interface SideBySideOptions extends Omit<DeletedLinesOptions, "inline"> {
  readonly draft: Draft;
  /** The hunks of the draft; found here if left out. */
  readonly hunks?: readonly Hunk[] | undefined;
  /** Of the editor of the base, which cannot be edited. */
  readonly baseExtension: Extension;
  /** Of the editor of the result, with the draft. */
  readonly resultExtension: Extension;
  readonly fold?: FoldOptions | undefined;
  readonly parent: Element | DocumentFragment;
  readonly root?: Document | ShadowRoot | undefined;
}

/** Marks a transaction that follows one of the other editor. */
const following = Annotation.define<boolean>();

/** The base and the result of a draft in two editors, equal lines at the same height. */
export class SideBySide {
  readonly dom: HTMLElement;
  readonly base: EditorView;
  readonly result: EditorView;
  readonly #options: SideBySideOptions;
  readonly #column: HTMLElement | undefined;
  /** The controls that are drawn, by what they show. */
  #controls = new Map<string, HTMLElement>();
  #frame: number | undefined;

  constructor(options: SideBySideOptions) {
    this.#options = options;
    const { draft, parent, renderControls, hunks = hunksOf(draft) } = options;
    this.dom = element("cm-mergeView", { overflowY: "auto" });
    const editors = this.dom.appendChild(element("cm-mergeViewEditors", { display: "flex" }));
    const half = { flex: "1 1 0", minWidth: "0", overflow: "hidden" };
    const places = [
      element("cm-mergeViewEditor", half),
      element("cm-mergeViewEditor", half),
    ] as const;
    this.#column = renderControls && element("cm-merge-revert", { position: "relative" });
    editors.append(places[0], ...(this.#column === undefined ? [] : [this.#column]), places[1]);
    const open = (side: "A" | "B", doc: Draft["base"]["doc"], extension: Extension) =>
      new EditorView({
        state: EditorState.create({
          doc,
          extensions: [extension, this.#extensionOf(side, hunks)],
        }),
        parent: places[side === "A" ? 0 : 1],
        ...(options.root !== undefined && { root: options.root }),
      });
    this.base = open("A", draft.base.doc, options.baseExtension);
    this.result = open("B", draft.result.doc, options.resultExtension);
    parent.append(this.dom);
    this.#scheduleAlign();
  }

  setRoot(root: Document | ShadowRoot): void {
    this.base.setRoot(root);
    this.result.setRoot(root);
  }

  destroy(): void {
    if (this.#frame !== undefined) this.#window?.cancelAnimationFrame(this.#frame);
    this.base.destroy();
    this.result.destroy();
    this.dom.remove();
  }

  get #window(): Window | null {
    return this.dom.ownerDocument.defaultView;
  }

  #extensionOf(side: "A" | "B", hunks: readonly Hunk[]): Extension {
    const { fold } = this.#options;
    return [
      trackHunks(hunks),
      markHunks({ side, inline: false, conflicts: true }),
      spacers,
      fold === undefined ? [] : foldUnchanged({ ...fold, side }),
      EditorView.editorAttributes.of({ class: `cm-merge-${side.toLowerCase()}` }),
      lineDirections,
      diffTheme,
      EditorView.updateListener.of((update) => this.#onupdate(side, update)),
    ];
  }

  #onupdate(side: "A" | "B", update: ViewUpdate): void {
    const { transactions, startState, state } = update;
    if (side === "B" && pendingHunks(startState) !== pendingHunks(state)) {
      const changes = baseChangesIn(transactions, startState);
      const effects = setHunks.of(pendingHunks(state));
      this.base.dispatch({ changes, effects, annotations: following.of(true) });
    }
    this.#unfoldBeside(side, transactions);
    const isAligning = transactions.some(({ effects }) =>
      effects.some((one) => one.is(setSpacers)),
    );
    const isOther = update.docChanged || pendingHunks(startState) !== pendingHunks(state);
    if (!isAligning && (update.heightChanged || update.viewportChanged || isOther)) {
      this.#scheduleAlign();
    }
  }

  #unfoldBeside(side: "A" | "B", transactions: readonly Transaction[]): void {
    const own = transactions.filter((one) => one.annotation(following) === undefined);
    const effects = own
      .flatMap((transaction) => unfoldedIn(transaction.effects))
      .map((at) => unfoldAt(this.#besidesOf(at, side)));
    if (effects.length === 0) return;
    const beside = side === "A" ? this.result : this.base;
    beside.dispatch({ effects, annotations: following.of(true) });
  }

  /** The place in the other editor of an unchanged line. */
  #besidesOf(at: number, side: "A" | "B"): number {
    const hunks = pendingHunks(this.result.state);
    const before = hunks[firstFrom(hunks, (hunk) => hunk[`from${side}`] > at) - 1];
    const offset = before === undefined ? 0 : before.toB - before.toA;
    return side === "A" ? at + offset : at - offset;
  }

  #scheduleAlign(): void {
    this.#frame ??= this.#window?.requestAnimationFrame(() => {
      this.#frame = undefined;
      alignEditors(this.base, this.result, pendingHunks(this.result.state));
      this.#placeControls();
    });
  }

  /** The controls of the hunks in the viewport; those that show the same stay, and with them the focus. */
  #placeControls(): void {
    const { renderControls, ondecide } = this.#options;
    const column = this.#column;
    if (renderControls === undefined || column === undefined) return;
    const { state, viewport } = this.result;
    const hunks = pendingHunks(state);
    const placed = new Map<string, HTMLElement>();
    for (let index = firstFrom(hunks, ({ toB }) => toB >= viewport.from); ; index += 1) {
      const hunk = hunks[index];
      if (hunk === undefined || hunk.fromB > viewport.to) break;
      const place = placeOf(state, hunk, { index, count: hunks.length });
      const key = Object.values(place).join();
      const controls =
        this.#controls.get(key) ??
        element("cm-hunkControls", { position: "absolute", insetInline: "0" });
      if (!this.#controls.has(key)) {
        const press = (decision: "accept" | "reject") => {
          const now = pendingHunks(this.result.state)[index];
          if (now !== undefined) ondecide(decision, now.fromB, this.result);
        };
        controls.append(...renderControls(place, press));
      }
      controls.style.top = `${this.result.lineBlockAt(hunk.fromB).top}px`;
      placed.set(key, controls);
    }
    for (const [key, dom] of this.#controls) if (!placed.has(key)) dom.remove();
    for (const [key, dom] of placed) if (!this.#controls.has(key)) column.append(dom);
    this.#controls = placed;
  }
}

/** No style sheet of an editor applies to what is around it. */
function element(name: string, style: Partial<CSSStyleDeclaration>): HTMLElement {
  const dom = document.createElement("div");
  dom.className = name;
  Object.assign(dom.style, style);
  return dom;
}
