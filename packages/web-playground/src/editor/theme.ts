import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The page's own colours: custom properties reach into the shadow root. */
const style = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "700", color: "var(--code-heading)" },
  { tag: [tags.strong], fontWeight: "700" },
  { tag: [tags.emphasis], fontStyle: "italic" },
  { tag: [tags.link, tags.url], color: "var(--code-link)", textDecoration: "underline" },
  { tag: [tags.keyword, tags.operatorKeyword], color: "var(--code-keyword)" },
  { tag: [tags.string, tags.monospace], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  {
    tag: [tags.comment, tags.meta, tags.processingInstruction, tags.contentSeparator],
    color: "var(--muted)",
  },
  { tag: [tags.propertyName, tags.typeName], color: "var(--code-name)" },
]);

const base = EditorView.theme({
  "&": {
    color: "var(--text)",
    backgroundColor: "var(--pane)",
    height: "100%",
    fontSize: "calc(var(--code) + 1px)",
  },
  ".cm-content": { fontFamily: "var(--mono)", caretColor: "var(--text)", padding: "8px 0" },
  ".cm-scroller": { lineHeight: "1.55" },
  ".cm-gutters": {
    color: "var(--muted)",
    backgroundColor: "var(--pane)",
    borderRight: "1px solid var(--line)",
  },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--row-hover)" },
  "&.cm-focused": { outline: "none" },
  "&.cm-focused .cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground":
    { backgroundColor: "var(--selection)" },
  ".cm-tooltip": {
    color: "var(--text)",
    backgroundColor: "var(--pane)",
    border: "1px solid var(--line)",
  },
  ".cm-panels": { color: "var(--text)", backgroundColor: "var(--page)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panel.cm-search": { font: "13px var(--sans)", padding: "6px 24px 6px 8px" },
  ".cm-panel.cm-search :is(.cm-textfield, .cm-button)": {
    color: "var(--text)",
    background: "var(--pane)",
    border: "1px solid var(--line)",
    borderRadius: "4px",
    minHeight: "24px",
    font: "inherit",
  },
  ".cm-panel.cm-search label": { font: "inherit", whiteSpace: "nowrap" },
  ".cm-panel.cm-search [type=checkbox]": { verticalAlign: "-2px" },
  ".cm-panel.cm-search [name=close]": { color: "var(--text)", width: "24px", height: "24px" },
  ".cm-searchMatch, .cm-selectionMatch": { backgroundColor: "var(--row-related)" },
  ".cm-searchMatch-selected": { outline: "2px solid var(--accent)" },
  ".cm-insertedLine, .cm-changedLine, .cm-inserted": { backgroundColor: "var(--added)" },
  "&.cm-merge-b .cm-changedLine": { backgroundColor: "var(--added)" },
  "&.cm-merge-a .cm-changedLine": { backgroundColor: "var(--removed)" },
  "&.cm-merge-a .cm-changedText": { background: "var(--removed-strong)", borderRadius: "2px" },
  "&.cm-merge-b .cm-changedText": {
    background: "var(--added-strong)",
    borderRadius: "2px",
  },
  ".cm-deletedChunk": { backgroundColor: "var(--removed)" },
  ".cm-deletedChunk .cm-deletedText, .cm-deletedText": {
    background: "var(--removed-strong)",
    borderRadius: "2px",
  },
  // The colours of comments and numbers are too faint on a mark.
  ".cm-changedText, .cm-changedText *, .cm-deletedText": { color: "var(--text)" },
  // On a separate line, since beside the text they would narrow it.
  "& .cm-deletedChunk .cm-chunkButtons": {
    position: "static",
    display: "flex",
    justifyContent: "flex-end",
    padding: "2px 6px",
    background: "var(--pane)",
  },
  "&.cm-one-hunk .cm-deletedChunk .cm-chunkButtons": { display: "none" },
  // Signs as well as colours, for readers who cannot distinguish the colours.
  "&.cm-merge-a .cm-line, &.cm-merge-b .cm-line, .cm-deletedChunk .cm-deletedLine": {
    position: "relative",
    paddingInlineStart: "18px",
  },
  "&.cm-merge-b .cm-deletedChunk": { paddingInlineStart: "0" },
  "& .cm-changedLine::before, .cm-deletedChunk .cm-deletedLine::before": {
    position: "absolute",
    insetInlineStart: "5px",
    fontWeight: "700",
  },
  "&.cm-merge-b .cm-changedLine::before": { content: '"+"', color: "var(--good)" },
  "&.cm-merge-a .cm-changedLine::before, .cm-deletedChunk .cm-deletedLine::before": {
    content: '"-"',
    color: "var(--bad)",
  },
  "@media (forced-colors: active)": {
    ".cm-changedText": { textDecoration: "underline" },
    ".cm-deletedChunk .cm-deletedText": { textDecoration: "line-through" },
  },
  "& .cm-deletedChunk .cm-chunkButtons button[name]": {
    font: "12px var(--sans)",
    minHeight: "24px",
    padding: "0 8px",
    marginInlineStart: "4px",
    color: "var(--text)",
    background: "var(--pane)",
    border: "1px solid var(--line)",
    borderRadius: "4px",
    cursor: "pointer",
  },
  "& .cm-deletedChunk .cm-chunkButtons button[name]:disabled": {
    color: "var(--muted)",
    cursor: "default",
  },
  "& .cm-collapsedLines": { color: "var(--muted)", background: "var(--page)" },
  // Few fonts contain the library's own sign.
  "& .cm-collapsedLines::before, & .cm-collapsedLines::after": { content: '"↕"' },
});

const underline = (colour: string) => ({
  backgroundImage: "none",
  textDecoration: `underline wavy 1px ${colour}`,
  textUnderlineOffset: "3px",
});

/** Diagnostics in the colours of the page's problems. */
const diagnostics = EditorView.theme({
  ".cm-diagnostic": { fontFamily: "var(--sans)" },
  ".cm-diagnosticSource": { color: "var(--muted)", opacity: "1", fontSize: "smaller" },
  ...Object.fromEntries(
    Object.entries({
      error: "var(--bad)",
      warning: "var(--warn)",
      info: "var(--ide)",
      hint: "var(--muted)",
    }).flatMap(([severity, colour]): [string, Record<string, string>][] => [
      [`.cm-diagnostic-${severity}`, { borderLeftColor: colour }],
      [`.cm-lintRange-${severity}`, underline(colour)],
    ]),
  ),
});

/** How code looks on this page, in light and dark alike. */
export const codeTheme: Extension = [base, diagnostics, syntaxHighlighting(style)];
