import type { App } from "../host-app.ts";
import { Component } from "../obsidian/component.ts";
import { setIcon } from "../ui/icons.ts";
import type { Menu } from "../ui/menu.ts";
import type { WorkspaceLeaf } from "../workspace/leaf.ts";

export type State = Record<string, unknown>;

export interface ViewStateResult {
  history: boolean;
}

export abstract class View extends Component {
  app: App;
  icon = "lucide-file";
  navigation = false;
  leaf: WorkspaceLeaf;
  containerEl: HTMLElement;
  scope: unknown = null;

  constructor(leaf: WorkspaceLeaf) {
    super();
    this.leaf = leaf;
    this.app = leaf.app;
    this.containerEl = leaf.containerEl.doc.createElement("div");
    this.containerEl.className = "workspace-leaf-content";
  }

  abstract getViewType(): string;
  abstract getDisplayText(): string;

  async onOpen(): Promise<void> {}

  async onClose(): Promise<void> {}

  getIcon(): string {
    return this.icon;
  }

  getState(): State {
    return {};
  }

  async setState(_state: unknown, _result: ViewStateResult): Promise<void> {}

  setEphemeralState(_state: unknown): void {}

  onPaneMenu(_menu: Menu, _source: string): void {}

  /** Called by the leaf to show the view. */
  async open(parent: HTMLElement): Promise<void> {
    this.containerEl.dataset["type"] = this.getViewType();
    parent.append(this.containerEl);
    await this.load();
    await this.onOpen();
  }

  /** Called by the leaf to remove the view. */
  async close(): Promise<void> {
    await this.onClose();
    this.unload();
    this.containerEl.remove();
  }
}

export abstract class ItemView extends View {
  contentEl: HTMLElement;
  readonly headerEl: HTMLElement;
  readonly titleEl: HTMLElement;
  readonly actionsEl: HTMLElement;

  constructor(leaf: WorkspaceLeaf) {
    super(leaf);
    this.headerEl = this.containerEl.createDiv("view-header");
    const titles = this.headerEl.createDiv("view-header-title-container");
    this.titleEl = titles.createDiv("view-header-title");
    this.actionsEl = this.headerEl.createDiv("view-actions");
    this.contentEl = this.containerEl.createDiv("view-content");
  }

  addAction(icon: string, title: string, callback: (event: MouseEvent) => unknown): HTMLElement {
    const action = this.actionsEl.createEl("button", {
      cls: "clickable-icon view-action",
      attr: { "aria-label": title },
      prepend: true,
    });
    setIcon(action, icon);
    action.addEventListener("click", callback);
    return action;
  }

  override async open(parent: HTMLElement): Promise<void> {
    await super.open(parent);
    this.updateHeader();
  }

  updateHeader(): void {
    this.titleEl.setText(this.getDisplayText());
    this.leaf.updateHeader();
  }
}
