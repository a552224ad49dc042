import { markdown, markdownLanguage } from "@codemirror/lang-markdown";
import { HighlightStyle, syntaxHighlighting, syntaxTree } from "@codemirror/language";
import { type Extension, RangeSetBuilder } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

const style = HighlightStyle.define([
  { tag: tags.heading1, fontSize: "1.6em", fontWeight: "700" },
  { tag: tags.heading2, fontSize: "1.4em", fontWeight: "650" },
  { tag: tags.heading3, fontSize: "1.25em", fontWeight: "600" },
  { tag: tags.strong, fontWeight: "700" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: tags.link, color: "var(--text-accent)" },
  { tag: tags.url, color: "var(--text-faint)" },
  { tag: tags.monospace, fontFamily: "var(--font-monospace)", color: "var(--code-normal)" },
  { tag: tags.meta, color: "var(--text-faint)" },
  { tag: tags.processingInstruction, color: "var(--text-faint)" },
]);

const wikiLink = /!?\[\[([^[\]\n]+?)\]\]/g;
const linkMark = Decoration.mark({ class: "cm-hmd-internal-link" });
const hidden = Decoration.replace({});

/** Marks links; in live preview also hides the marks of lines that the cursor is not in. */
function decorate(view: EditorView, livePreview: boolean): DecorationSet {
  const found: { from: number; to: number; value: Decoration }[] = [];
  const { doc, selection } = view.state;
  const touched = (from: number, to: number) =>
    selection.ranges.some(
      (range) => range.from <= doc.lineAt(to).to && range.to >= doc.lineAt(from).from,
    );
  for (const { from, to } of view.visibleRanges) {
    for (const match of doc.sliceString(from, to).matchAll(wikiLink)) {
      const at = from + match.index;
      found.push({ from: at, to: at + match[0].length, value: linkMark });
    }
    if (!livePreview) continue;
    syntaxTree(view.state).iterate({
      from,
      to,
      enter: (node) => {
        if (!/^(?:HeaderMark|EmphasisMark|StrikethroughMark|CodeMark)$/.test(node.name)) return;
        if (node.node.parent?.name === "FencedCode" || touched(node.from, node.to)) return;
        const space =
          node.name === "HeaderMark" && doc.sliceString(node.to, node.to + 1) === " " ? 1 : 0;
        found.push({ from: node.from, to: node.to + space, value: hidden });
      },
    });
  }
  found.sort((a, b) => a.from - b.from || a.to - b.to);
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to, value } of found) builder.add(from, to, value);
  return builder.finish();
}

function decorations(isLivePreview: () => boolean): Extension {
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = decorate(view, isLivePreview());
      }
      update(update: ViewUpdate) {
        if (update.docChanged || update.selectionSet || update.viewportChanged) {
          this.decorations = decorate(update.view, isLivePreview());
        }
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
}

/** How the app shows Markdown in its editor. */
export function markdownLook(isLivePreview: () => boolean): Extension {
  return [
    markdown({ base: markdownLanguage }),
    syntaxHighlighting(style),
    decorations(isLivePreview),
    EditorView.lineWrapping,
  ];
}
