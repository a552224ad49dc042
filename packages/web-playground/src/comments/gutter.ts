import {
  EditorState,
  type Extension,
  RangeSet,
  RangeSetBuilder,
  StateEffect,
  StateField,
  type TransactionSpec,
} from "@codemirror/state";
import { EditorView, GutterMarker, gutter, showTooltip, type Tooltip } from "@codemirror/view";
import type { DocumentChange, Lines } from "@idewire/codemirror";
import { showHidden } from "@idewire/core/internal";
import type { PageComment } from "@idewire/devtools/internal";
import { draftMarks, followDraft } from "./draft-lines.ts";
import { gutterLook } from "./gutter-look.ts";
import { describeComment, letterOf, tagNames } from "./texts.ts";

/** Actions in the gutter; lines are 1-based. */
export interface GutterActs {
  /** Shows a comment. */
  choose(id: string): void;
  /** Starts a comment on a line. */
  begin(line: number): void;
  /** The cursor has moved to a line with comments. */
  follow(ids: readonly string[]): void;
  /** The lines of the new comment have moved. */
  draftMoved(lines: Lines): void;
  /** The text has changed, and with it the lines of comments. */
  changed(change: DocumentChange): void;
}

const setMarks = StateEffect.define<readonly PageComment[]>();
/** The position of the line whose comments are shown in the tooltip. */
const peek = StateEffect.define<number | undefined>();

/** The comments of a line. */
class CommentMark extends GutterMarker {
  readonly heads: readonly PageComment[];
  /** Whether it continues a comment on several lines. */
  readonly isInside: boolean;

  constructor(heads: readonly PageComment[], isInside: boolean) {
    super();
    this.heads = heads;
    this.isInside = isInside;
  }

  override eq(other: CommentMark): boolean {
    return this.isInside === other.isInside && this.key === other.key;
  }

  get key(): string {
    return this.heads.map(({ id, tag, state, status }) => [id, tag, state, status]).join(" ");
  }

  override toDOM(): Node {
    const place = document.createElement("span");
    place.className = `cm-comment-place${this.isInside ? " cm-comment-inside" : ""}`;
    const [first] = this.heads;
    if (first === undefined) return place;
    const sign = document.createElement("span");
    const isDone = this.heads.every(({ state }) => state !== "open");
    const isGuess = this.heads.some(({ status }) => status === "ambiguous");
    sign.className = [
      ...["cm-comment", `cm-comment-${first.tag.toLowerCase()}`],
      ...[isDone ? "cm-comment-done" : "", isGuess ? "cm-comment-guess" : ""],
    ].join(" ");
    sign.textContent = letterOf(first.tag) + (this.heads.length > 1 ? "+" : "");
    place.append(sign);
    return place;
  }
}

interface Marks {
  readonly set: RangeSet<CommentMark>;
  readonly peeked: number | undefined;
}

const none: RangeSet<CommentMark> = RangeSet.of<CommentMark>([]);

const marks: StateField<Marks> = StateField.define<Marks>({
  create: () => ({ set: none, peeked: undefined }),
  update({ set, peeked }, { changes, docChanged, effects, state }) {
    let next = docChanged ? { set: set.map(changes), peeked: undefined } : { set, peeked };
    for (const effect of effects) {
      if (effect.is(setMarks)) next = { ...next, set: marksOf(effect.value, state) };
      if (effect.is(peek)) next = { ...next, peeked: effect.value };
    }
    return next;
  },
  provide: (field) =>
    showTooltip.from(field, ({ set, peeked }) => {
      return peeked === undefined ? null : tooltipAt(peeked, headsAt(set, peeked));
    }),
});

function marksOf(comments: readonly PageComment[], { doc }: EditorState): RangeSet<CommentMark> {
  const lines = new Map<number, { readonly heads: PageComment[]; isInside: boolean }>();
  const at = (line: number) => {
    const known = lines.get(line) ?? { heads: [], isInside: false };
    lines.set(line, known);
    return known;
  };
  for (const comment of comments) {
    const { line, endLine = line, status } = comment;
    if (status === "orphaned" || line > doc.lines) continue;
    at(line).heads.push(comment);
    if (endLine === line) continue;
    for (let each = line; each <= Math.min(endLine, doc.lines); each += 1) at(each).isInside = true;
  }
  const builder = new RangeSetBuilder<CommentMark>();
  for (const [line, { heads, isInside }] of [...lines].sort(([a], [b]) => a - b)) {
    const { from } = doc.line(line);
    builder.add(from, from, new CommentMark(heads, isInside));
  }
  return builder.finish();
}

function headsAt(set: RangeSet<CommentMark>, from: number): readonly PageComment[] {
  const heads: PageComment[] = [];
  set.between(from, from, (_, __, mark) => void heads.push(...mark.heads));
  return heads;
}

function tooltipAt(pos: number, heads: readonly PageComment[]): Tooltip | null {
  if (heads.length === 0) return null;
  const create = () => {
    const dom = document.createElement("div");
    dom.className = "cm-comment-peek";
    for (const head of heads) {
      for (const [index, words] of describeComment(head).entries()) {
        const part = document.createElement(index === 0 ? "b" : "p");
        part.textContent = words;
        dom.append(part);
      }
    }
    return { dom };
  };
  return { pos, above: false, create };
}

/** The comments in the gutter of an editor. */
function commentGutter(acts: GutterActs): Extension {
  return [
    marks,
    followDraft((lines) => acts.draftMoved(lines)),
    gutter({
      class: "cm-comment-gutter",
      renderEmptyElements: true,
      markers: ({ state }) => [state.field(marks).set, draftMarks(state)],
      domEventHandlers: {
        mousedown(view, { from }) {
          const [first] = headsAt(view.state.field(marks).set, from);
          if (first === undefined) acts.begin(view.state.doc.lineAt(from).number);
          else acts.choose(first.id);
          return true;
        },
        mousemove(view, { from }) {
          const { peeked } = view.state.field(marks);
          if (peeked !== from) view.dispatch({ effects: peek.of(from) });
          return false;
        },
        mouseleave(view) {
          view.dispatch({ effects: peek.of(undefined) });
          return false;
        },
      },
    }),
    EditorView.updateListener.of(({ docChanged, changes, startState, state }) => {
      if (docChanged) acts.changed({ before: startState.doc, changes, after: state.doc });
    }),
    EditorView.updateListener.of(({ view, state, selectionSet, docChanged }) => {
      if (!selectionSet || docChanged || !view.hasFocus) return;
      const { from } = state.doc.lineAt(state.selection.main.head);
      acts.follow(headsAt(state.field(marks).set, from).map(({ id }) => id));
    }),
    EditorState.transactionExtender.of((move) => {
      const { startState, selection } = move;
      if (selection === undefined || !move.isUserEvent("select")) return null;
      const { from } = startState.doc.lineAt(selection.main.head);
      const isSame = from === startState.doc.lineAt(startState.selection.main.head).from;
      return isSame ? null : announce(headsAt(startState.field(marks).set, from));
    }),
    gutterLook,
  ];
}

/** Adds the gutter of comments to an editor. */
export function addGutter(view: EditorView, acts: GutterActs): void {
  if (view.state.field(marks, false) !== undefined) return;
  view.dispatch({ effects: StateEffect.appendConfig.of(commentGutter(acts)) });
}

/** Shows comments at their current lines; orphans have none. */
export function showMarks(view: EditorView, comments: readonly PageComment[]): void {
  if (view.state.field(marks, false) === undefined) return;
  view.dispatch({ effects: setMarks.of(comments) });
}

/** Moves the cursor to a line and centres it; announces the comments to screen readers. */
export function showLine(view: EditorView, line: number, comments: readonly PageComment[]): void {
  const { doc } = view.state;
  const { from } = doc.line(Math.max(1, Math.min(line, doc.lines)));
  const effects = [EditorView.scrollIntoView(from, { y: "center" })];
  view.dispatch({ selection: { anchor: from }, effects }, announce(comments));
  view.focus();
}

/** Announces comments to screen readers, from which the gutter is hidden. */
function announce(comments: readonly PageComment[]): Pick<TransactionSpec, "effects"> {
  const words = comments.map(({ tag, author, text }) => {
    return showHidden(`${tagNames[tag]} by ${author}: ${text}`);
  });
  return { effects: words.map((each) => EditorView.announce.of(each)) };
}

/** The line of the cursor, 1-based. */
export function lineAtCursor({ state }: EditorView): number {
  return state.doc.lineAt(state.selection.main.head).number;
}

/** The text of a line, 1-based. */
export function textOfLine({ state: { doc } }: EditorView, line: number): string {
  return doc.line(Math.min(line, doc.lines)).text;
}

/** The selected lines, 1-based; without a last line in which nothing is selected. */
export function linesSelected({ state }: EditorView): Lines {
  const { from, to } = state.selection.main;
  const line = state.doc.lineAt(from).number;
  const last = state.doc.lineAt(to);
  const endLine = last.from === to && to > from ? last.number - 1 : last.number;
  return endLine > line ? { line, endLine } : { line };
}
