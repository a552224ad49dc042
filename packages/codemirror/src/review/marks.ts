import { type EditorState, type Extension, Facet, type Range, RangeSet } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  GutterMarker,
  gutter,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from "@codemirror/view";
import { firstFrom } from "./changed-window.ts";
import { drawConflict } from "./conflict-mark.ts";
import { DeletedLines } from "./deleted-lines.ts";
import { type Hunk, pendingHunks } from "./hunks.ts";
import { deletedWord, isInline } from "./inline.ts";

/** What an editor shows of a diff. */
export interface MarkOptions {
  /** The base, or the result. */
  readonly side: "A" | "B";
  /** Whether words that change within lines are shown in these lines, deleted ones too. */
  readonly inline: boolean;
  /** Whether conflicts are marked in the lines; otherwise they are above them. */
  readonly conflicts: boolean;
}

const options = Facet.define<MarkOptions, MarkOptions>({
  combine: ([first]) => first ?? { side: "B", inline: false, conflicts: false },
});

const changedLine = Decoration.line({ class: "cm-changedLine" });
const inlineLine = Decoration.line({ class: "cm-inlineChangedLine" });
const changedText = Decoration.mark({ class: "cm-changedText" });
const inserted = Decoration.mark({ tagName: "ins", class: "cm-insertedLine" });
const deleted = Decoration.mark({ tagName: "del", class: "cm-deletedLine" });

class LineMarker extends GutterMarker {
  override readonly elementClass: string;

  constructor(elementClass: string) {
    super();
    this.elementClass = elementClass;
  }
}

const changedMarker = new LineMarker("cm-changedLineGutter");
const inlineMarker = new LineMarker("cm-inlineChangedLineGutter");
const deletedMarker = new LineMarker("cm-deletedLineGutter");

interface Marks {
  readonly decorations: DecorationSet;
  readonly gutter: RangeSet<GutterMarker>;
}

const marks = ViewPlugin.define(
  (view) => ({
    marks: mark(view),
    update({ docChanged, viewportChanged, startState, state }: ViewUpdate) {
      const isOther = pendingHunks(startState) !== pendingHunks(state);
      if (docChanged || viewportChanged || isOther) this.marks = mark(view);
    },
  }),
  { decorations: (plugin) => plugin.marks.decorations },
);

/** Marks the changed lines and words of an editor that has hunks. */
export function markHunks(given: MarkOptions): Extension {
  return [
    options.of(given),
    marks,
    gutter({
      class: "cm-changeGutter",
      markers: (view) => view.plugin(marks)?.marks.gutter ?? RangeSet.empty,
      widgetMarker: (_, widget) => (widget instanceof DeletedLines ? deletedMarker : null),
    }),
  ];
}

/** Only what is in the viewport: a hunk may be as long as the text. */
function mark(view: EditorView): Marks {
  const { side, inline, conflicts } = view.state.facet(options);
  const shown = view.viewport;
  const found: Range<Decoration>[] = [];
  const markers: Range<GutterMarker>[] = [];
  const hunks = pendingHunks(view.state);
  for (let index = firstFrom(hunks, (hunk) => hunk[`to${side}`] > shown.from); ; index += 1) {
    const hunk = hunks[index];
    if (hunk === undefined || hunk[`from${side}`] >= shown.to) break;
    const from = Math.max(hunk[`from${side}`], view.state.doc.lineAt(shown.from).from);
    const to = Math.min(hunk[`to${side}`], shown.to);
    const isInLine = inline && isInline(hunk.text);
    for (const at of lineStarts(view.state, from, to)) {
      found.push((isInLine ? inlineLine : changedLine).range(at));
      markers.push((isInLine ? inlineMarker : changedMarker).range(at));
    }
    if (!isInLine && from < to) found.push((side === "A" ? deleted : inserted).range(from, to));
    found.push(...wordsOf(hunk, { side, isInLine, from, to }));
    if (conflicts && isMarkedOn(hunk, side) && hunk[`from${side}`] >= from) {
      found.push(conflictMark.range(view.state.doc.lineAt(from).to));
    }
  }
  return { decorations: Decoration.set(found, true), gutter: RangeSet.of(markers) };
}

/** Once: beside the lines that are there now, or beside the proposed ones if there are none. */
function isMarkedOn({ isConflict, fromA, toA }: Hunk, side: "A" | "B"): boolean {
  return isConflict && side === (fromA < toA ? "A" : "B");
}

class ConflictMark extends WidgetType {
  override toDOM(): HTMLElement {
    return drawConflict("span");
  }
}

const conflictMark = Decoration.widget({ widget: new ConflictMark(), side: 1 });

function lineStarts(state: EditorState, from: number, to: number): readonly number[] {
  const starts: number[] = [];
  for (let at = from; at < to; at = state.doc.lineAt(at).to + 1) starts.push(at);
  return starts;
}

interface Shown {
  readonly side: "A" | "B";
  readonly isInLine: boolean;
  readonly from: number;
  readonly to: number;
}

function wordsOf(hunk: Hunk, { side, isInLine, from, to }: Shown): readonly Range<Decoration>[] {
  const start = hunk[`from${side}`];
  const words = isInLine ? hunk.text.words : hunk.text.marked;
  return words.flatMap((word) => {
    const [first, last] = [start + word[`from${side}`], start + word[`to${side}`]];
    if (last < from || first > to) return [];
    const removed = hunk.text.a.slice(word.fromA, word.toA);
    return [
      ...(isInLine && removed !== "" ? [deletedWord(removed).range(first)] : []),
      ...(Math.max(first, from) < Math.min(last, to)
        ? [changedText.range(Math.max(first, from), Math.min(last, to))]
        : []),
    ];
  });
}
