import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type { AllCanvasNodeData, CanvasData } from "obsidian/canvas";
import { withFacts } from "../editor/fields.ts";
import { MarkdownPreviewView } from "../render/preview.ts";
import type { TFile } from "../vault/files.ts";
import { FileView, TextFileView } from "./file-view.ts";

/**
 * A canvas: its cards are in the document of the window, rendered as in reading mode, and a double click opens
 * an editor in a card of text or of a note. Obsidian declares only the format of the file; the rest is modelled
 * on the app.
 */
export class CanvasView extends TextFileView {
  #canvasEl: HTMLElement | undefined;
  readonly #editors: EditorView[] = [];

  getViewType(): string {
    return "canvas";
  }

  getViewData(): string {
    return this.data;
  }

  setViewData(data: string): void {
    this.clear();
    this.#canvasEl = this.contentEl.createDiv("canvas-wrapper").createDiv("canvas");
    const { nodes = [] } = JSON.parse(data || "{}") as Partial<CanvasData>;
    for (const node of nodes) void this.#draw(this.#canvasEl, node);
  }

  clear(): void {
    for (const editor of this.#editors.splice(0)) editor.destroy();
    this.contentEl.empty();
  }

  override async onUnloadFile(file: TFile): Promise<void> {
    await super.onUnloadFile(file);
    this.clear();
  }

  async #draw(parent: HTMLElement, node: AllCanvasNodeData): Promise<void> {
    const card = parent.createDiv("canvas-node");
    const content = card
      .createDiv("canvas-node-container")
      .createDiv("canvas-node-content markdown-embed")
      .createDiv("markdown-embed-content");
    const file = node.type === "file" ? this.app.vault.getFileByPath(node.file) : this.file;
    if (file === null || (node.type !== "file" && node.type !== "text")) return;
    if (node.type === "file") card.createDiv({ cls: "canvas-node-label", text: file.name });
    const text = node.type === "file" ? await this.app.vault.read(file) : node.text;
    if (file.extension === "pdf") return drawPdf(content, text);
    const shown = node.type === "file" && node.subpath ? sectionOf(text, node.subpath) : text;
    const preview = new MarkdownPreviewView({ app: this.app, file }, content);
    this.addChild(preview);
    preview.set(shown);
    content.addEventListener("dblclick", () => {
      content.empty();
      this.#editors.push(this.#edit(content, file, shown));
    });
  }

  #edit(parent: HTMLElement, file: TFile, doc: string): EditorView {
    const info = { app: this.app, file, hoverPopover: null };
    let made: EditorView | undefined;
    const editor = new EditorView({
      state: EditorState.create({
        doc,
        extensions: [
          withFacts({
            info: info as never,
            view: () => made as EditorView,
            livePreview: () => true,
          }),
          this.app.editorExtensions,
        ],
      }),
      parent,
      root: parent.doc,
    });
    made = editor;
    // The field's value is the editor, which did not exist when the field was created.
    editor.dispatch({});
    editor.focus();
    return editor;
  }
}

/** The section under a heading, as a card of `note#heading` shows it. */
function sectionOf(text: string, subpath: string): string {
  const at = text.indexOf(subpath.replace(/^#/, "# "));
  return text.slice(Math.max(0, at));
}

/** A PDF as pdf.js renders it: numbered pages, and a span for each run of text. */
export class PdfView extends FileView {
  getViewType(): string {
    return "pdf";
  }

  override async onLoadFile(file: TFile): Promise<void> {
    drawPdf(this.contentEl, await this.app.vault.read(file));
  }

  override async onUnloadFile(_file: TFile): Promise<void> {
    this.contentEl.empty();
  }
}

/** The tests' PDFs are plain text with a form feed between pages. */
function drawPdf(parent: HTMLElement, source: string): void {
  const viewer = parent.createDiv("pdf-viewer-container").createDiv("pdfViewer");
  source.split("\f").forEach((text, index) => {
    const attr = { "data-page-number": String(index + 1) };
    const layer = viewer.createDiv({ cls: "page", attr }).createDiv("textLayer");
    for (const line of text.trim().split("\n")) {
      layer.createSpan({ text: line, attr: { role: "presentation" } });
      layer.createEl("br");
    }
  });
}
