import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

const underline = (colour: string) => ({
  background: `linear-gradient(${colour}, ${colour}) bottom/100% 2px no-repeat`,
});

/** How a diff looks unless a page has a style of its own. */
export const diffTheme: Extension = EditorView.baseTheme({
  ".cm-mergeView & .cm-scroller, .cm-mergeView &": {
    height: "auto !important",
    overflowY: "visible !important",
  },
  "&.cm-merge-a .cm-changedLine, .cm-deletedChunk": { backgroundColor: "rgba(160, 128, 100, .08)" },
  "&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine": {
    backgroundColor: "rgba(100, 160, 128, .08)",
  },
  "&light.cm-merge-a .cm-changedText, &light .cm-deletedChunk .cm-deletedText":
    underline("#ee443366"),
  "&dark.cm-merge-a .cm-changedText, &dark .cm-deletedChunk .cm-deletedText":
    underline("#ffaa9966"),
  "&light.cm-merge-b .cm-changedText": underline("#22bb22aa"),
  "&dark.cm-merge-b .cm-changedText": underline("#88ff88aa"),
  "&.cm-merge-b .cm-deletedText": { background: "#ff000033" },
  ".cm-insertedLine, .cm-deletedLine, .cm-deletedLine del": { textDecoration: "none" },
  ".cm-deletedChunk": { paddingInlineStart: "6px" },
  ".cm-deletedChunk .cm-chunkButtons": { position: "absolute", insetInlineEnd: "5px" },
  ".cm-deletedChunk .cm-chunkButtons button": {
    border: "none",
    cursor: "pointer",
    color: "white",
    margin: "0 2px",
    borderRadius: "3px",
    "&[name=accept]": { background: "#1c7c1c" },
    "&[name=reject]": { background: "#b8301f" },
  },
  ".cm-conflict": {
    whiteSpace: "nowrap",
    width: "fit-content",
    padding: "0 6px",
    borderRadius: "3px",
    font: "600 12px/1.6 var(--sans, var(--font-interface, sans-serif))",
    color: "#fff",
    background: "#9a5b00",
  },
  "span.cm-conflict": { marginInlineStart: "8px" },
  ".cm-moreDeletedLines": { display: "block", margin: "4px 6px", cursor: "pointer" },
  ".cm-collapsedLines": {
    padding: "5px 5px 5px 10px",
    cursor: "pointer",
    "&:before": { content: '"⦚"', marginInlineEnd: "7px" },
    "&:after": { content: '"⦚"', marginInlineStart: "7px" },
  },
  "&light .cm-collapsedLines": {
    color: "#444",
    background:
      "linear-gradient(to bottom, transparent 0, #f3f3f3 30%, #f3f3f3 70%, transparent 100%)",
  },
  "&dark .cm-collapsedLines": {
    color: "#ddd",
    background: "linear-gradient(to bottom, transparent 0, #222 30%, #222 70%, transparent 100%)",
  },
  ".cm-changeGutter": { width: "3px", paddingLeft: "1px" },
  "&light.cm-merge-a .cm-changedLineGutter, &light .cm-deletedLineGutter": { background: "#e43" },
  "&dark.cm-merge-a .cm-changedLineGutter, &dark .cm-deletedLineGutter": { background: "#fa9" },
  "&light.cm-merge-b .cm-changedLineGutter": { background: "#2b2" },
  "&dark.cm-merge-b .cm-changedLineGutter": { background: "#8f8" },
  ".cm-inlineChangedLineGutter": { background: "#75d" },
});
