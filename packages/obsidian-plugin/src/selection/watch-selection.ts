import { EditorView } from "@codemirror/view";
import {
  type App,
  type Component,
  editorInfoField,
  FileView,
  MarkdownView,
  type Plugin,
  type TFile,
  type View,
} from "obsidian";
import { createEditorExtension } from "./editor-extension.ts";
import { selectionOfEditor } from "./editor-selection.ts";
import { addressOf, selectionOfFileView, selectionOfPage } from "./other-views.ts";
import { RenderedSections, selectionOfRendered } from "./reading-mode.ts";
import type { SelectionTracker } from "./selection-tracker.ts";
import { type TrackedSelection, tabFileOf, wholeFile } from "./tracked-selection.ts";

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
  /** Whether agents receive the selection of this editor. */
  readonly isKnown: (view: EditorView) => boolean;
}

/** Reports the shown document and selection to a tracker, in every pane, mode and window. */
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

  /** Registers listeners, which Obsidian removes when the plugin unloads. */
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
        const { now } = this.#tracker;
        if (file === now?.file || file === now?.canvas) this.#tracker.renamed();
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

  /** The active view or its content may have changed. */
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
    const isShown = now?.origin === view || isEditorIn(view, now?.origin);
    if (now !== undefined && isShown && tabFileOf(now) === file) return;
    this.#tracker.show(wholeFile(file, view));
  }

  #isOpen(): boolean {
    const { now } = this.#tracker;
    if (now === undefined) return false;
    if (now.origin instanceof EditorView && now.origin.dom.isConnected) return true;
    let isOpen = false;
    this.#app.workspace.iterateAllLeaves(({ view }) => {
      const isFile = view instanceof FileView && view.file === tabFileOf(now);
      if (isFile || (now.isPage && addressOf(view) === now.file.path)) isOpen = true;
    });
    return isOpen;
  }

  #watchDocument(doc: Document): void {
    const { plugin } = this.#parts;
    plugin.registerDomEvent(doc, "selectionchange", () => {
      window.clearTimeout(this.#step);
      this.#step = window.setTimeout(() => this.#read(doc), STEP_MS);
    });
    plugin.registerDomEvent(doc, "mousedown", () => this.#tracker.hold(), { capture: true });
    const release = ({ target }: MouseEvent) => this.#release(doc, target as Node | null);
    plugin.registerDomEvent(doc, "mouseup", release, { capture: true });
  }

  #release(doc: Document, target: Node | null): void {
    // The event for the last step of a drag comes later.
    const anchor = doc.getSelection()?.anchorNode;
    const view = anchor && this.#viewAround(anchor);
    const isDragged = view != null && view === this.#tracker.now?.origin;
    // A click beside the cards of a canvas clears the selection in a card, perhaps without an event.
    const clicked = target && this.#viewAround(target);
    const isBeside = clicked instanceof FileView && !(clicked instanceof MarkdownView);
    if (this.#step !== undefined || isDragged || isBeside)
      this.#read(doc, isBeside ? target : anchor);
    this.#tracker.release();
  }

  /** @param node where to look for the view; by default the selection */
  #read(doc: Document, node: Node | null = doc.getSelection()?.anchorNode ?? null): void {
    window.clearTimeout(this.#step);
    this.#step = undefined;
    const selection = doc.getSelection();
    const view = node && this.#viewAround(node);
    if (selection === null || view == null) return;
    const tracked = this.#selectionIn(view, selection);
    if (tracked !== undefined) this.#tracker.show(tracked);
  }

  #selectionIn(view: View, selection: Selection): TrackedSelection | undefined {
    const sections = this.#sections;
    if (!(view instanceof FileView)) return selectionOfPage(selection, view);
    const { file } = view;
    if (file === null) return undefined;
    if (!(view instanceof MarkdownView))
      return selectionOfFileView(selection, view, { file, sections });
    if (view.getMode() !== "preview") return undefined;
    const { containerEl } = view.previewMode;
    return selectionOfRendered(selection, containerEl, { sections, file, origin: view });
  }

  #viewAround(node: Node): View | undefined {
    let found: View | undefined;
    this.#app.workspace.iterateAllLeaves(({ view }) => {
      if (view.containerEl.contains(node)) found = view;
    });
    return found;
  }
}

function isEditorIn(view: FileView, origin: object | undefined): boolean {
  return origin instanceof EditorView && view.contentEl.contains(origin.dom);
}

/** The editor of a note, unless it is in reading mode. */
function sourceEditorOf(view: FileView): EditorView | undefined {
  if (!(view instanceof MarkdownView) || view.getMode() !== "source") return undefined;
  return EditorView.findFromDOM(view.contentEl) ?? undefined;
}
