import { setIcon } from "../ui/icons.ts";
import { Menu } from "../ui/menu.ts";
import { type TAbstractFile, TFile, TFolder } from "../vault/files.ts";
import { ItemView } from "./view.ts";

/** Further rows are not rendered: Obsidian renders only visible ones. */
const MAX_ROWS = 300;

/** The file explorer at the left. */
export class FileExplorerView extends ItemView {
  override icon = "lucide-folder";
  readonly #selected = new Set<TAbstractFile>();
  readonly #open = new Set<TFolder>();
  #drawing: number | undefined;

  getViewType(): string {
    return "file-explorer";
  }

  getDisplayText(): string {
    return "Files";
  }

  override async onOpen(): Promise<void> {
    this.contentEl.addClass("nav-files-container");
    for (const name of ["create", "delete", "rename"]) {
      this.registerEvent(this.app.vault.on(name, () => this.#later()));
    }
    this.registerEvent(this.app.workspace.on("file-open", () => this.#later()));
    this.register(() => window.clearTimeout(this.#drawing));
    this.#draw();
  }

  #later(): void {
    this.#drawing ??= window.setTimeout(() => this.#draw(), 50);
  }

  #draw(): void {
    this.#drawing = undefined;
    this.contentEl.empty();
    this.contentEl.createDiv({ cls: "nav-vault-title", text: this.app.vault.getName() });
    this.#drawChildren(this.app.vault.getRoot(), this.contentEl.createDiv("nav-files"));
  }

  #drawChildren(folder: TFolder, parent: HTMLElement): void {
    const rank = (file: TAbstractFile) =>
      `${file instanceof TFolder ? 0 : 1}${file.name.toLowerCase()}`;
    const sorted = [...folder.children].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
    for (const file of sorted.slice(0, MAX_ROWS)) this.#drawRow(file, parent);
  }

  #drawRow(file: TAbstractFile, parent: HTMLElement): void {
    const kind = file instanceof TFolder ? "folder" : "file";
    const box = parent.createDiv(`tree-item nav-${kind}`);
    const row = box.createDiv({
      cls: `tree-item-self nav-${kind}-title is-clickable`,
      attr: { "data-path": file.path },
    });
    if (file instanceof TFolder)
      setIcon(row, this.#open.has(file) ? "chevron-down" : "chevron-right");
    const text = file instanceof TFile && file.extension === "md" ? file.basename : file.name;
    row.createDiv({ cls: `nav-${kind}-title-content`, text });
    row.toggleClass("is-active", file === this.app.workspace.getActiveFile());
    row.toggleClass("is-selected", this.#selected.has(file));
    row.addEventListener("click", (event) => this.#clicked(file, event));
    row.addEventListener("contextmenu", (event) => this.#menu(file, event));
    if (file instanceof TFolder && this.#open.has(file)) {
      this.#drawChildren(file, box.createDiv("tree-item-children"));
    }
  }

  #clicked(file: TAbstractFile, event: MouseEvent): void {
    if (event.ctrlKey || event.shiftKey) {
      if (!this.#selected.delete(file)) this.#selected.add(file);
    } else {
      this.#selected.clear();
      if (file instanceof TFile) void this.app.workspace.getLeaf(false).openFile(file);
      else if (file instanceof TFolder && !this.#open.delete(file)) this.#open.add(file);
    }
    this.#draw();
  }

  #menu(file: TAbstractFile, event: MouseEvent): void {
    event.preventDefault();
    const menu = new Menu();
    const source = "file-explorer-context-menu";
    if (this.#selected.size > 1 && this.#selected.has(file)) {
      this.app.workspace.trigger("files-menu", menu, [...this.#selected], source, this.leaf);
    } else this.app.workspace.trigger("file-menu", menu, file, source, this.leaf);
    menu.showAtMouseEvent(event);
  }
}
