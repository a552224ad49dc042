import { setIcon } from "../ui/icons.ts";
import { type Owner, type WorkspaceItem, WorkspaceParent } from "./items.ts";

/** What a tab shows of its leaf. */
export interface Tabbed extends WorkspaceItem {
  readonly pinned: boolean;
  getDisplayText(): string;
  getIcon(): string;
  shown(): void;
  chosen(): void;
  headerMenu(event: MouseEvent): void;
  detach(): void;
}

export class WorkspaceTabs extends WorkspaceParent {
  currentTab = 0;
  readonly #headersEl: HTMLElement;
  readonly #bodyEl: HTMLElement;

  constructor(owner: Owner) {
    super(owner, "workspace-tabs mod-top");
    const bar = this.containerEl.createDiv("workspace-tab-header-container");
    this.#headersEl = bar.createDiv({
      cls: "workspace-tab-header-container-inner",
      attr: { role: "tablist" },
    });
    this.#bodyEl = this.containerEl.createDiv("workspace-tab-container");
  }

  override get childrenEl(): HTMLElement {
    return this.#bodyEl;
  }

  get leaves(): Tabbed[] {
    return this.children as Tabbed[];
  }

  override insertChild(index: number, child: WorkspaceItem): void {
    super.insertChild(index, child);
    if (this.children.length > 1 && index <= this.currentTab) this.currentTab += 1;
    this.update();
  }

  override removeChild(child: WorkspaceItem): void {
    const at = this.children.indexOf(child);
    super.removeChild(child);
    if (at < this.currentTab || this.currentTab >= this.children.length) this.currentTab -= 1;
    this.currentTab = Math.max(0, this.currentTab);
    this.update();
  }

  selectTab(leaf: WorkspaceItem): void {
    this.currentTab = Math.max(0, this.children.indexOf(leaf));
    this.update();
  }

  isShown(leaf: WorkspaceItem): boolean {
    return this.children[this.currentTab] === leaf;
  }

  update(): void {
    this.#headersEl.empty();
    for (const [index, leaf] of this.leaves.entries()) {
      const isActive = index === this.currentTab;
      leaf.containerEl.toggle(isActive);
      this.#renderHeader(leaf, isActive);
      if (isActive) leaf.shown();
    }
  }

  #renderHeader(leaf: Tabbed, isActive: boolean): void {
    const title = leaf.getDisplayText();
    const attr = { role: "tab", "aria-selected": isActive, "aria-label": title };
    const header = this.#headersEl.createDiv({ cls: "workspace-tab-header tappable", attr });
    header.toggleClass("is-active", isActive);
    const inner = header.createDiv("workspace-tab-header-inner");
    setIcon(inner.createDiv("workspace-tab-header-inner-icon"), leaf.getIcon());
    inner.createDiv({ cls: "workspace-tab-header-inner-title", text: title });
    const close = inner.createDiv("workspace-tab-header-inner-close-button");
    setIcon(close, leaf.pinned ? "pin" : "x");
    close.addEventListener("click", (event) => {
      event.stopPropagation();
      leaf.detach();
    });
    header.addEventListener("click", () => leaf.chosen());
    header.addEventListener("contextmenu", (event) => leaf.headerMenu(event));
  }
}
