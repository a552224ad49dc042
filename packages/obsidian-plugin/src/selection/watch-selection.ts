import { EditorView } from "@codemirror/view";
import {
  type App,
  type Component,
  editorInfoField,
  FileView,
  MarkdownView,
  type Plugin,
  type TFile,
} from "obsidian";
import { createEditorExtension } from "./editor-extension.ts";
import { selectionOfEditor } from "./editor-selection.ts";
import { RenderedSections, selectionOfRendered } from "./reading-mode.ts";
import type { SelectionTracker } from "./selection-tracker.ts";
import { wholeFile } from "./tracked-selection.ts";

/** Selection events within this time count as one. */
const STEP_MS = 25;

export interface WatchSelectionParts {
  readonly app: App;
  readonly plugin: Pick<
    Plugin,
    "registerEditorExtension" | "registerMarkdownPostProcessor" | "registerEvent"
  > &
    Pick<Component, "registerDomEvent" | "register">;
  readonly tracker: SelectionTracker;
  /** Whether agents know what is selected in this editor. */
  readonly isKnown: (view: EditorView) => boolean;
}

/** Reports to a tracker what the person looks at, in every pane, mode and window. */
export class SelectionWatch {
  readonly #app: App;
  readonly #tracker: SelectionTracker;
  readonly #parts: WatchSelectionParts;
  readonly #sections = new RenderedSections();
  #step: number | undefined;

  constructor(parts: WatchSelectionParts) {
    this.#app = parts.app;
    this.#tracker = parts.tracker;
    this.#parts = parts;
  }

  /** Registers all that Obsidian takes back when the plugin unloads. */
  register(): void {
    const { plugin } = this.#parts;
    const { workspace, vault } = this.#app;
    plugin.registerEditorExtension(this.#editorExtension());
    plugin.registerMarkdownPostProcessor((element, context) => {
      this.#sections.add(element, context);
    });
    plugin.registerEvent(workspace.on("active-leaf-change", () => this.look()));
    plugin.registerEvent(workspace.on("file-open", () => this.look()));
    plugin.registerEvent(workspace.on("layout-change", () => this.look()));
    plugin.registerEvent(workspace.on("window-open", ({ doc }) => this.#watchDocument(doc)));
    plugin.registerEvent(
      vault.on("rename", (file) => {
        if (file === this.#tracker.now?.file) this.#tracker.renamed();
      }),
    );
    plugin.register(() => window.clearTimeout(this.#step));
    this.#watchDocument(workspace.containerEl.doc);
    // Windows that were open before the plugin was enabled.
    const seen = new Set([workspace.containerEl.doc]);
    workspace.iterateAllLeaves(({ view }) => {
      const { doc } = view.containerEl;
      if (!seen.has(doc)) this.#watchDocument(doc);
      seen.add(doc);
    });
    this.look();
  }

  /** The active view, or what is open, may have changed. */
  look(): void {
    const view = this.#app.workspace.getActiveViewOfType(FileView);
    if (view?.file != null) this.#lookAt(view, view.file);
    else if (!this.#isOpen()) this.#tracker.clear();
  }

  #editorExtension() {
    return createEditorExtension({
      tracker: this.#tracker,
      // Lines of a canvas card or an embed are not those of its file.
      fileOf: (state) => {
        const info = state.field(editorInfoField, false);
        return info instanceof MarkdownView ? (info.file ?? undefined) : undefined;
      },
      isActive: (view) => {
        const active = this.#app.workspace.getActiveViewOfType(MarkdownView);
        return active?.getMode() === "source" && active.contentEl.contains(view.dom);
      },
      isKnown: this.#parts.isKnown,
    });
  }

  #lookAt(view: FileView, file: TFile): void {
    const { now } = this.#tracker;
    const editor = sourceEditorOf(view);
    if (editor !== undefined) {
      if (now?.origin !== editor || now.file !== file) {
        this.#tracker.show(selectionOfEditor(editor.state, file, editor));
      }
      return;
    }
    if (now?.origin === view && now.file === file) return;
    this.#tracker.show(wholeFile(file, view));
  }

  #isOpen(): boolean {
    const { now } = this.#tracker;
    if (now === undefined) return false;
    if (now.origin instanceof EditorView && now.origin.dom.isConnected) return true;
    let isOpen = false;
    this.#app.workspace.iterateAllLeaves(({ view }) => {
      if (view instanceof FileView && view.file === now.file) isOpen = true;
    });
    return isOpen;
  }

  #watchDocument(doc: Document): void {
    const { plugin } = this.#parts;
    plugin.registerDomEvent(doc, "selectionchange", () => {
      window.clearTimeout(this.#step);
      this.#step = window.setTimeout(() => this.#readRendered(doc), STEP_MS);
    });
    plugin.registerDomEvent(doc, "mousedown", () => this.#tracker.hold(), { capture: true });
    plugin.registerDomEvent(doc, "mouseup", () => this.#release(doc), { capture: true });
  }

  #release(doc: Document): void {
    // The event for the last step of a drag comes later.
    const anchor = doc.getSelection()?.anchorNode;
    const view = anchor && this.#renderedViewAround(anchor);
    const isDragged = view !== undefined && view === this.#tracker.now?.origin;
    if (this.#step !== undefined || isDragged) this.#readRendered(doc);
    this.#tracker.release();
  }

  #readRendered(doc: Document): void {
    window.clearTimeout(this.#step);
    this.#step = undefined;
    const selection = doc.getSelection();
    const node = selection?.anchorNode;
    if (selection == null || node == null) return;
    const view = this.#renderedViewAround(node);
    if (view?.file == null) return;
    const note = { sections: this.#sections, file: view.file, origin: view };
    this.#tracker.show(selectionOfRendered(selection, view.previewMode.containerEl, note));
  }

  #renderedViewAround(node: Node): MarkdownView | undefined {
    let found: MarkdownView | undefined;
    this.#app.workspace.iterateAllLeaves(({ view }) => {
      if (!(view instanceof MarkdownView) || view.getMode() !== "preview") return;
      if (view.previewMode.containerEl.contains(node)) found = view;
    });
    return found;
  }
}

/** The editor of a note, unless it is in reading mode. */
function sourceEditorOf(view: FileView): EditorView | undefined {
  if (!(view instanceof MarkdownView) || view.getMode() !== "source") return undefined;
  return EditorView.findFromDOM(view.contentEl) ?? undefined;
}
