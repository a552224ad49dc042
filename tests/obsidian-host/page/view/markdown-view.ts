import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { search } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, type ViewUpdate } from "@codemirror/view";
import { Editor } from "../editor/editor.ts";
import { withFacts } from "../editor/fields.ts";
import { markdownLook } from "../editor/live-preview.ts";
import { MarkdownPreviewView } from "../render/preview.ts";
import { Menu } from "../ui/menu.ts";
import type { TFile } from "../vault/files.ts";
import type { WorkspaceLeaf } from "../workspace/leaf.ts";
import { TextFileView } from "./file-view.ts";
import type { State, ViewStateResult } from "./view.ts";

type Mode = "source" | "preview";

export class MarkdownView extends TextFileView {
  override icon = "lucide-file-text";
  readonly editor: Editor;
  readonly previewMode: MarkdownPreviewView;
  hoverPopover: unknown = null;
  readonly #sourceEl: HTMLElement;
  readonly #readingEl: HTMLElement;
  readonly #plugins = new Compartment();
  #mode: Mode = "source";
  #livePreview = true;
  #loading = false;

  constructor(leaf: WorkspaceLeaf) {
    super(leaf);
    const source = "markdown-source-view cm-s-obsidian mod-cm6 is-live-preview";
    this.#sourceEl = this.contentEl.createDiv(source);
    this.#readingEl = this.contentEl.createDiv("markdown-reading-view");
    this.#readingEl.hide();
    const cm = new EditorView({
      state: this.#newState(""),
      parent: this.#sourceEl,
      root: this.containerEl.doc,
    });
    this.editor = new Editor(cm);
    // The field's value is the editor, which did not exist when the field was created.
    cm.dispatch({});
    this.previewMode = new MarkdownPreviewView(this, this.#readingEl);
  }

  override onload(): void {
    super.onload();
    this.containerEl.onWindowMigrated((win) => this.editor.cm.setRoot(win.document));
    this.registerDomEvent(this.editor.cm.contentDOM, "contextmenu", (event: MouseEvent) =>
      this.#menu(event),
    );
    this.registerDomEvent(this.containerEl, "focusin", () =>
      this.app.workspace.noteFocus(this.leaf),
    );
    this.registerDomEvent(this.containerEl, "mousedown", () =>
      this.app.workspace.noteFocus(this.leaf),
    );
    this.addChild(this.previewMode);
  }

  override onunload(): void {
    this.editor.cm.destroy();
  }

  getViewType(): string {
    return "markdown";
  }

  getMode(): Mode {
    return this.#mode;
  }

  getViewData(): string {
    return this.editor.getValue();
  }

  setViewData(data: string, clear: boolean): void {
    this.#loading = true;
    if (clear) this.editor.cm.setState(this.#newState(data));
    else this.#replaceText(data);
    this.#loading = false;
    this.previewMode.set(data);
  }

  clear(): void {}

  override async onLoadFile(file: TFile): Promise<void> {
    await super.onLoadFile(file);
    if (this.#mode === "preview") await this.previewMode.rendered;
  }

  override getState(): State {
    return { ...super.getState(), mode: this.#mode, source: !this.#livePreview };
  }

  override async setState(state: State, result: ViewStateResult): Promise<void> {
    await super.setState(state, result);
    const { mode, source } = state;
    if (typeof source === "boolean") this.#livePreview = !source;
    if (mode === "source" || mode === "preview") this.#mode = mode;
    this.#sourceEl.toggleClass("is-live-preview", this.#livePreview);
    this.#sourceEl.toggle(this.#mode === "source");
    this.#readingEl.toggle(this.#mode === "preview");
    this.containerEl.dataset["mode"] = this.#mode;
    // Recomputes fields that depend on the mode, such as decorations.
    this.updateOptions();
    if (this.#mode === "preview") {
      this.previewMode.set(this.getViewData());
      await this.previewMode.rendered;
    }
  }

  override setEphemeralState({ line }: State): void {
    if (typeof line !== "number" || this.#mode === "preview") {
      throw new Error("This host scrolls only to a line of an editor");
    }
    const start = { line, ch: 0 };
    this.editor.setSelection(start);
    this.editor.scrollIntoView({ from: start, to: start }, true);
  }

  /** Reconfigures the editor with the current extensions of plugins. */
  updateOptions(): void {
    const extensions = [...this.app.editorExtensions];
    this.editor.cm.dispatch({ effects: this.#plugins.reconfigure(extensions) });
  }

  #cm(): EditorView | undefined {
    return (this as { editor?: Editor }).editor?.cm;
  }

  #newState(doc: string): EditorState {
    return EditorState.create({ doc, extensions: this.#extensions() });
  }

  #extensions(): Extension {
    const isLivePreview = () => this.#livePreview;
    return [
      withFacts({
        info: this as never,
        view: () => this.#cm() as EditorView,
        livePreview: isLivePreview,
      }),
      history(),
      search(),
      EditorState.allowMultipleSelections.of(true),
      keymap.of([...defaultKeymap, ...historyKeymap]),
      markdownLook(isLivePreview),
      EditorView.updateListener.of((update) => this.#updated(update)),
      this.#plugins.of([...this.app.editorExtensions]),
    ];
  }

  #updated(update: ViewUpdate): void {
    if (!update.docChanged || this.#loading) return;
    this.requestSave();
    this.previewMode.set(this.getViewData());
    this.app.workspace.trigger("editor-change", this.editor, this);
  }

  /** Keeps the cursor in place if the text around it is unchanged. */
  #replaceText(data: string): void {
    const old = this.getViewData();
    let [from, endOld, endNew] = [0, old.length, data.length];
    while (from < endOld && from < endNew && old[from] === data[from]) from += 1;
    while (endOld > from && endNew > from && old[endOld - 1] === data[endNew - 1]) {
      endOld -= 1;
      endNew -= 1;
    }
    const changes = { from, to: endOld, insert: data.slice(from, endNew) };
    this.editor.cm.dispatch({ changes, userEvent: "set" });
  }

  #menu(event: MouseEvent): void {
    event.preventDefault();
    const menu = Menu.forEvent(event);
    this.app.workspace.trigger("editor-menu", menu, this.editor, this);
    menu.showAtMouseEvent(event);
  }
}
