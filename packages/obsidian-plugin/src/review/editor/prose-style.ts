import { type Extension, RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, type EditorView, ViewPlugin } from "@codemirror/view";

const heading = Decoration.line({ class: "idewire-heading" });
const quiet = Decoration.line({ class: "idewire-quiet" });

/** Properties are looked for in this many lines. */
const MAX_PROPERTY_LINES = 100;

/** Emphasises headings and dims properties, as in a note. */
export const proseStyle: Extension = ViewPlugin.define(
  (view) => ({
    decorations: decorate(view),
    update({ docChanged, viewportChanged }) {
      if (docChanged || viewportChanged) this.decorations = decorate(view);
    },
  }),
  { decorations: (plugin) => plugin.decorations },
);

function decorate(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  const lastProperty = findPropertiesEnd(view);
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at);
      if (line.number <= lastProperty) builder.add(line.from, line.from, quiet);
      else if (/^#{1,6} /.test(line.text)) builder.add(line.from, line.from, heading);
      at = line.to + 1;
    }
  }
  return builder.finish();
}

/** The number of the line that ends the properties; 0 if there are none. */
function findPropertiesEnd({ state: { doc } }: EditorView): number {
  if (doc.line(1).text !== "---") return 0;
  const last = Math.min(doc.lines, MAX_PROPERTY_LINES);
  for (let number = 2; number <= last; number += 1) {
    if (doc.line(number).text === "---") return number;
  }
  return 0;
}
