import { type EditorState, type Extension, RangeSetBuilder } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  ViewPlugin,
  WidgetType,
} from "@codemirror/view";
import { findHidden, nameOfHidden } from "@idewire/core/internal";

/** The context that is searched around the visible part of a long line: an emoji has several parts. */
const CONTEXT = 256;

/** Shows invisible characters by their code points; the text itself is unchanged. */
export const showHiddenCharacters: Extension = [
  ViewPlugin.define(
    (view) => ({
      decorations: decorate(view),
      update({ docChanged, viewportChanged }) {
        if (docChanged || viewportChanged) this.decorations = decorate(view);
      },
    }),
    { decorations: (plugin) => plugin.decorations },
  ),
  // The library draws deleted text from the plain text.
  EditorView.updateListener.of(({ view }) => {
    for (const chunk of view.dom.querySelectorAll(".cm-deletedChunk")) showHiddenIn(chunk);
  }),
  EditorView.baseTheme({
    ".cm-hidden-character": {
      fontSize: "0.8em",
      fontFamily: "monospace",
      padding: "0 3px",
      margin: "0 1px",
      border: "1px solid currentColor",
      borderRadius: "3px",
      whiteSpace: "nowrap",
      unicodeBidi: "isolate",
      direction: "ltr",
    },
  }),
];

/** A hidden character by its code point: `U+202E`. */
class HiddenWidget extends WidgetType {
  readonly #codePoint: number;

  constructor(codePoint: number) {
    super();
    this.#codePoint = codePoint;
  }

  override eq(other: HiddenWidget): boolean {
    return other.#codePoint === this.#codePoint;
  }

  override toDOM(view: EditorView): HTMLElement {
    return draw(this.#codePoint, view.dom.ownerDocument);
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

function draw(codePoint: number, document: Document): HTMLElement {
  const number = `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
  const name = nameOfHidden(codePoint);
  const element = document.createElement("span");
  element.className = "cm-hidden-character";
  element.title = name;
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", `${number} ${name}`);
  element.textContent = number;
  return element;
}

function decorate({ state, visibleRanges }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  let done = 0;
  for (const { from, to } of visibleRanges) {
    const start = startOfContext(state, from);
    const text = state.sliceDoc(start, Math.min(to + CONTEXT, state.doc.lineAt(to).to));
    for (const hidden of findHidden(text)) {
      const at = start + hidden.start;
      if (at < Math.max(from, done) || at >= to) continue;
      done = start + hidden.end;
      const widget = new HiddenWidget(hidden.codePoint);
      builder.add(at, done, Decoration.replace({ widget }));
    }
  }
  return builder.finish();
}

/** The start of its line. */
function startOfContext(state: EditorState, at: number): number {
  return Math.max(at - CONTEXT, state.doc.lineAt(at).from);
}

/** Shows the hidden characters of a rendered text. */
function showHiddenIn(element: Element): void {
  const document = element.ownerDocument;
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode() !== null) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    const found = [...findHidden(text.data)];
    if (found.length === 0) continue;
    const parts: (string | Node)[] = [];
    let at = 0;
    for (const { start, end, codePoint } of found) {
      parts.push(text.data.slice(at, start), draw(codePoint, document));
      at = end;
    }
    text.replaceWith(...parts, text.data.slice(at));
  }
}
