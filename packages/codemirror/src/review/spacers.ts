import {
  type Range,
  RangeSet,
  StateEffect,
  type StateEffectType,
  StateField,
} from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import type { Hunk } from "./hunks.ts";

/** Heights in pixels that differ by less are equal. */
const SAME = 0.01;
/** Unchanged parts longer than this, in UTF-16 units, are aligned at the top of the viewport, too. */
const LONG = 1_000;

class Spacer extends WidgetType {
  readonly height: number;

  constructor(height: number) {
    super();
    this.height = height;
  }

  override eq(other: Spacer): boolean {
    return this.height === other.height;
  }

  override get estimatedHeight(): number {
    return this.height;
  }

  override toDOM(): HTMLElement {
    const dom = document.createElement("div");
    dom.className = "cm-mergeSpacer";
    dom.style.height = `${this.height}px`;
    return dom;
  }

  override updateDOM(dom: HTMLElement): boolean {
    dom.style.height = `${this.height}px`;
    return true;
  }
}

/** Replaces the spacers of an editor. */
export const setSpacers: StateEffectType<DecorationSet> = StateEffect.define<DecorationSet>({
  map: (spacers, changes) => spacers.map(changes),
});

/** Blank space between lines, so that equal lines of two editors are at the same height. */
export const spacers: StateField<DecorationSet> = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(placed, { changes, effects }) {
    const set = effects.findLast((effect) => effect.is(setSpacers));
    return set?.value ?? placed.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Places the spacers of two editors. */
export function alignEditors(a: EditorView, b: EditorView, hunks: readonly Hunk[]): void {
  const [topInA, topInB] = [topsWithoutSpacers(a), topsWithoutSpacers(b)];
  const inA: Range<Decoration>[] = [];
  const inB: Range<Decoration>[] = [];
  let [addedToA, addedToB] = [0, 0];
  const level = (difference: number, [atA, atB]: readonly [number, number], side: -1 | 1) => {
    if (difference < -SAME) {
      inA.push(spacer(-difference, side).range(atA));
      addedToA -= difference;
    } else if (difference > SAME) {
      inB.push(spacer(difference, side).range(atB));
      addedToB += difference;
    }
  };
  for (const [atA, atB] of equalLines(a, b, hunks)) {
    level(topInA(atA) + addedToA - topInB(atB) - addedToB, [atA, atB], -1);
  }
  const difference = heightOf(a) + addedToA - heightOf(b) - addedToB;
  level(difference, [a.state.doc.length, b.state.doc.length], 1);
  replaceSpacers(a, Decoration.set(inA, true));
  replaceSpacers(b, Decoration.set(inB, true));
}

function spacer(height: number, side: -1 | 1): Decoration {
  return Decoration.widget({ widget: new Spacer(height), block: true, side });
}

/** Lines that are equal in both editors, of which others follow: where each unchanged part starts. */
function* equalLines(
  a: EditorView,
  b: EditorView,
  hunks: readonly Hunk[],
): Iterable<readonly [number, number]> {
  let [atA, atB] = [0, 0];
  const end = { fromA: a.state.doc.length, toA: 0, toB: 0 };
  for (const { fromA, toA, toB } of [...hunks, end]) {
    if (atA < fromA) {
      yield [atA, atB];
      const skipped = Math.max(a.viewport.from - atA, b.viewport.from - atB);
      // The heights of lines that were never drawn are estimates.
      if (skipped > 0 && atA + skipped + LONG < fromA) {
        yield [
          a.state.doc.lineAt(atA + skipped).from,
          atB + a.state.doc.lineAt(atA + skipped).from - atA,
        ];
      }
    }
    [atA, atB] = [toA, toB];
  }
}

/** The top of a line without the spacers above; to be called for ascending positions. */
function topsWithoutSpacers(view: EditorView): (at: number) => number {
  const placed = view.state.field(spacers).iter();
  let above = 0;
  return (at) => {
    for (; placed.value !== null && placed.from < at; placed.next())
      above += heightOfSpacer(placed);
    return view.lineBlockAt(at).top - above;
  };
}

function heightOf(view: EditorView): number {
  let sum = 0;
  for (const placed = view.state.field(spacers).iter(); placed.value !== null; placed.next()) {
    sum += heightOfSpacer(placed);
  }
  return view.contentHeight - sum;
}

function heightOfSpacer({ value }: { readonly value: Decoration | null }): number {
  const { widget } = (value?.spec ?? {}) as { readonly widget?: unknown };
  return widget instanceof Spacer ? widget.height : 0;
}

/** Differences below a pixel stay, so that two editors do not adjust each other endlessly. */
function replaceSpacers(view: EditorView, next: DecorationSet): void {
  const placed = view.state.field(spacers).iter();
  const wanted = next.iter();
  while (placed.value !== null && wanted.value !== null) {
    const differs = Math.abs(heightOfSpacer(placed) - heightOfSpacer(wanted)) > 1;
    if (placed.from !== wanted.from || differs) break;
    placed.next();
    wanted.next();
  }
  if (placed.value === null && wanted.value === null) return;
  view.dispatch({ effects: setSpacers.of(RangeSet.join([next])) });
}
