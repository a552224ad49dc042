import { Text } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { isObject, parseJson } from "@idewire/core/internal";
import { editorInfoField, type FileView, TextFileView, type TFile, type View } from "obsidian";
import { selectionOfEditor, wholeLines } from "./editor-selection.ts";
import { type RenderedSections, selectionOfRendered } from "./reading-mode.ts";
import { type TrackedSelection, wholeFile, wordsIn } from "./tracked-selection.ts";

// Obsidian publishes neither the classes of these views nor what is in them. The types of the views, the
// attribute of pdf.js and the classes of a card have been stable for years; without them, only the path is
// shared.
const CARD = ".canvas-node";
const LABEL = ".canvas-node-label";
const PAGE = "data-page-number";

/** The selection in a view of a canvas or a PDF. */
export function selectionOfFileView(
  selection: Selection,
  view: FileView,
  shown: { readonly file: TFile; readonly sections: RenderedSections },
): TrackedSelection {
  const { file } = shown;
  const node = selection.anchorNode;
  if (node === null || !view.contentEl.contains(node)) return wholeFile(file, view);
  switch (view.getViewType()) {
    case "canvas":
      return selectionOfCard(selection, elementOf(node), { ...shown, view });
    case "pdf":
      return wordsIn(file, view, withPages(selection));
    default:
      return wholeFile(file, view);
  }
}

/** The selected words of a page in the web viewer, available in reader mode. */
export function selectionOfPage(selection: Selection, view: View): TrackedSelection | undefined {
  const path = addressOf(view);
  const words = selection.toString();
  if (path === undefined || words.trim() === "") return undefined;
  return { ...wordsIn({ path }, view, words), isPage: true };
}

/** The address of the page in a web viewer; undefined for other views. */
export function addressOf(view: View): string | undefined {
  if (view.getViewType() !== "webviewer") return undefined;
  const { url } = view.getState();
  return typeof url === "string" && /^https?:/.test(url) ? url : undefined;
}

interface ShownCanvas {
  readonly view: FileView;
  readonly file: TFile;
  readonly sections: RenderedSections;
}

function selectionOfCard(
  selection: Selection,
  element: HTMLElement | null,
  { view, file: canvas, sections }: ShownCanvas,
): TrackedSelection {
  const card = element?.closest<HTMLElement>(CARD);
  if (element == null || card == null) return wholeFile(canvas, view);
  const dom = element.closest<HTMLElement>(".cm-editor");
  const editor = dom && EditorView.findFromDOM(dom);
  if (editor != null) return selectionInEditor(editor, { view, canvas });
  const source = sections.sourceOf(element);
  const words = selection.toString();
  if (words.trim() === "" || !isWithin(selection, card, { sections, source })) {
    return wholeFile(canvas, view);
  }
  const file = source === undefined ? null : canvas.vault.getFileByPath(source);
  if (file === canvas || (file === null && isOfTextCard(words, view))) {
    return wordsOfCard(words, view, canvas);
  }
  if (file === null) {
    const pdf = element.closest(`[${PAGE}]`) === null ? undefined : pdfOfCard(card, view);
    // Of another file, or rendered before the plugin was enabled: its exclusion is unknown.
    if (pdf === undefined) return wholeFile(canvas, view);
    return { ...wordsIn(pdf, view, withPages(selection)), canvas };
  }
  const found = selectionOfRendered(selection, card, { sections, file, origin: view });
  return { ...(found.isSelected ? found : wordsIn(file, view, words)), canvas };
}

/** Whether a selection is within one card and one file: others may be excluded. */
function isWithin(
  selection: Selection,
  card: HTMLElement,
  { sections, source }: Pick<ShownCanvas, "sections"> & { readonly source: string | undefined },
): boolean {
  const { startContainer, endContainer } = selection.getRangeAt(0);
  return [startContainer, endContainer].every((node) => {
    const element = elementOf(node);
    if (element === null || !card.contains(element)) return false;
    return (sections.sourceOf(element) ?? source) === source;
  });
}

function isOfTextCard(words: string, view: FileView): boolean {
  const wanted = lettersOf(words);
  if (wanted === "") return false;
  return nodesOf(sourceOf(view)).some(
    ({ text }) => typeof text === "string" && lettersOf(text).includes(wanted),
  );
}

/** Characters that rendering does not change. */
function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, "");
}

function selectionInEditor(
  editor: EditorView,
  { view, canvas }: { readonly view: FileView; readonly canvas: TFile },
): TrackedSelection {
  const { state } = editor;
  const { from, to } = state.selection.main;
  const file = state.field(editorInfoField, false)?.file ?? canvas;
  if (file === canvas) {
    const words = state.sliceDoc(from, to);
    return { ...wordsOfCard(words, view, canvas, state.doc.toString()), origin: editor };
  }
  // The editor of a card that shows a section has other lines than the file.
  const shown = showsSection(view, file)
    ? wordsIn(file, editor, state.sliceDoc(from, to))
    : selectionOfEditor(state, file, editor);
  return { ...shown, canvas };
}

/** Words of a card whose text is in the canvas itself: in the line of the canvas that has this card. */
function wordsOfCard(
  words: string,
  view: FileView,
  canvas: TFile,
  text?: string,
): TrackedSelection {
  const tracked = wordsIn(canvas, view, words);
  if (!tracked.isSelected) return tracked;
  return {
    ...tracked,
    read: () => {
      const lines = linesOfCard(view, (each) =>
        text === undefined ? each.includes(words) : each === text,
      );
      if (lines === undefined) return tracked.read();
      const ranges = tracked.read().ranges.map((range) => ({ ...range, ...lines }));
      return { ranges, primary: 0 };
    },
  };
}

/** The lines of the canvas with the only matching card. */
function linesOfCard(view: FileView, isMeant: (text: string) => boolean) {
  const source = sourceOf(view);
  const texts = nodesOf(source).flatMap(({ text }) =>
    typeof text === "string" && isMeant(text) ? [JSON.stringify(text)] : [],
  );
  const [only = ""] = texts;
  const at = source.indexOf(only);
  if (texts.length !== 1 || at < 0 || source.includes(only, at + 1)) return undefined;
  const doc = Text.of(source.split("\n"));
  const line = doc.lineAt(at).number - 1;
  const { start, end } = wholeLines(doc, line, line);
  return { start, end };
}

/** The PDF named on a card; undefined if another card may have the same name. */
function pdfOfCard(card: HTMLElement, view: FileView): TFile | undefined {
  const labels = [...card.querySelectorAll(LABEL)].map(({ textContent }) => textContent?.trim());
  const paths = nodesOf(sourceOf(view)).flatMap(({ file }) =>
    typeof file === "string" ? file : [],
  );
  const named = [...new Set(paths)]
    .flatMap((path) => view.app.vault.getFileByPath(path) ?? [])
    .filter(({ name, basename }) => labels.some((label) => label === name || label === basename));
  const [only] = named;
  const isSure = labels.length === 1 && named.length === 1 && only?.extension === "pdf";
  return isSure ? only : undefined;
}

function showsSection(view: FileView, { path }: TFile): boolean {
  return nodesOf(sourceOf(view)).some(
    ({ file, subpath }) => file === path && subpath !== undefined && subpath !== "",
  );
}

function sourceOf(view: FileView): string {
  return view instanceof TextFileView ? view.getViewData() : "";
}

/** The nodes of a canvas, as in Obsidian's `canvas.d.ts`; the file may contain anything. */
function nodesOf(source: string): readonly Readonly<Record<string, unknown>>[] {
  const canvas = parseJson(source);
  const nodes: unknown = isObject(canvas) ? canvas["nodes"] : undefined;
  return Array.isArray(nodes) ? nodes.filter(isObject) : [];
}

/** The selected words, after the number of their page: agents read PDFs by pages. */
function withPages(selection: Selection): string {
  const words = selection.toString();
  const { startContainer, endContainer } = selection.getRangeAt(0);
  const [first, last] = [startContainer, endContainer].map((node) =>
    elementOf(node)?.closest(`[${PAGE}]`)?.getAttribute(PAGE),
  );
  if (words.trim() === "" || first == null) return words;
  const pages = last == null || last === first ? `page ${first}` : `pages ${first}-${last}`;
  return `[${pages}]\n${words}`;
}

function elementOf(node: Node): HTMLElement | null {
  return node.instanceOf(HTMLElement) ? node : node.parentElement;
}
