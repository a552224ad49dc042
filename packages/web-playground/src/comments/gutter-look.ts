import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

const sign = (colour: string, radius: string) => ({ "--sign": colour, borderRadius: radius });

/** A tag has a letter and a shape besides its colour. */
export const gutterLook: Extension = EditorView.theme({
  ".cm-comment-gutter": { minWidth: "30px", cursor: "pointer" },
  ".cm-comment-gutter .cm-gutterElement": { padding: "0 3px", textAlign: "center" },
  ".cm-comment-gutter .cm-gutterElement:hover:not(:has(.cm-comment))::before": {
    content: '"+"',
    color: "var(--accent)",
    fontWeight: "700",
  },
  ".cm-comment-gutter .cm-comment-draft": {
    outline: "1px dashed var(--accent)",
    outlineOffset: "-2px",
  },
  ".cm-comment-place": { display: "block", position: "relative", height: "100%" },
  ".cm-comment-inside::before": {
    content: '""',
    position: "absolute",
    insetBlock: "0",
    insetInlineEnd: "-3px",
    borderInlineEnd: "3px solid var(--accent)",
  },
  ".cm-comment": {
    display: "inline-block",
    minWidth: "16px",
    padding: "0 2px",
    font: "700 11px/15px var(--sans)",
    color: "var(--pane)",
    background: "var(--sign)",
    border: "1px solid var(--sign)",
  },
  ".cm-comment-todo": sign("var(--ide)", "3px"),
  ".cm-comment-fixme": sign("var(--bad)", "0"),
  ".cm-comment-note": sign("var(--muted)", "8px"),
  ".cm-comment-star": sign("var(--good)", "8px 8px 0 0"),
  ".cm-comment-question": sign("var(--warn)", "0 0 8px 8px"),
  ".cm-comment.cm-comment-done": { color: "var(--sign)", background: "none" },
  ".cm-comment.cm-comment-guess": {
    color: "var(--sign)",
    background: "none",
    borderStyle: "dashed",
  },
  ".cm-comment-peek": {
    maxWidth: "44ch",
    maxHeight: "60vh",
    overflow: "hidden",
    padding: "6px 10px",
    font: "13px/1.4 var(--sans)",
    whiteSpace: "pre-wrap",
    overflowWrap: "anywhere",
  },
  ".cm-comment-peek p": { margin: "2px 0 6px" },
  "@media (forced-colors: active)": {
    ".cm-comment": { color: "CanvasText", background: "Canvas", borderColor: "CanvasText" },
    ".cm-comment.cm-comment-done": { color: "GrayText", borderColor: "GrayText" },
    ".cm-comment-gutter .cm-comment-draft": { outlineColor: "CanvasText" },
  },
});
