import { type Extension, RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin } from "@codemirror/view";

const line = Decoration.line({ attributes: { dir: "auto" } });

const directions = ViewPlugin.define(
  (view) => ({
    lines: markLines(view),
    update({ docChanged, viewportChanged }: { docChanged: boolean; viewportChanged: boolean }) {
      if (docChanged || viewportChanged) this.lines = markLines(view);
    },
  }),
  { decorations: (plugin) => plugin.lines },
);

/** Each line reads in the direction of its own text. */
export const lineDirections: Extension = [EditorView.perLineTextDirection.of(true), directions];

function markLines(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const { from: start, to: end } = view.state.doc.lineAt(at);
      builder.add(start, start, line);
      at = end + 1;
    }
  }
  return builder.finish();
}
