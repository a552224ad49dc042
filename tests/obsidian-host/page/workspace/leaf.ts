import type { App } from "../host-app.ts";
import { Menu } from "../ui/menu.ts";
import type { TFile } from "../vault/files.ts";
import { FileView } from "../view/file-view.ts";
import { DeferredView, EmptyView, UnknownView } from "../view/other-views.ts";
import type { State, View } from "../view/view.ts";
import { WorkspaceItem } from "./items.ts";
import { type Tabbed, WorkspaceTabs } from "./tabs.ts";
import type { Workspace } from "./workspace.ts";

export interface ViewState {
  type: string;
  state?: State;
  active?: boolean;
  pinned?: boolean;
  group?: WorkspaceLeaf;
}

export interface OpenViewState {
  state?: State;
  eState?: State;
  active?: boolean;
  group?: WorkspaceLeaf;
}

export class WorkspaceLeaf extends WorkspaceItem implements Tabbed {
  readonly app: App;
  view: View;
  hoverPopover: unknown = null;
  pinned = false;
  group: string | null = null;
  /** When it was last active; used by the host and by Obsidian. */
  activeTime = 0;
  readonly #workspace: Workspace;
  #busy: Promise<unknown> = Promise.resolve();

  constructor(app: App, workspace: Workspace) {
    super(workspace, "workspace-leaf");
    this.app = app;
    this.#workspace = workspace;
    this.view = new EmptyView(this);
    void this.view.open(this.containerEl);
  }

  get isDeferred(): boolean {
    return this.view instanceof DeferredView;
  }

  get isShown(): boolean {
    return this.parent instanceof WorkspaceTabs && this.parent.isShown(this);
  }

  openFile(file: TFile, { state, eState, active = true }: OpenViewState = {}): Promise<void> {
    const type = this.app.viewRegistry.typeOf(file.extension) ?? "unsupported";
    const viewState: ViewState = { type, state: { ...state, file: file.path }, active };
    return this.setViewState(viewState, eState);
  }

  getViewState(): ViewState {
    return {
      type: this.view.getViewType(),
      state: this.view.getState(),
      ...(this.pinned && { pinned: true }),
    };
  }

  /** Serializes the changes of one leaf. */
  setViewState(viewState: ViewState, eState?: State): Promise<void> {
    const done = this.#busy.then(() => this.#setViewState(viewState, eState));
    this.#busy = done.catch(() => {});
    return done;
  }

  async loadIfDeferred(): Promise<void> {
    if (this.view instanceof UnknownView || !this.isDeferred) return;
    await this.setViewState(this.getViewState());
  }

  /** Replaces the view by a placeholder, as a restart does for background tabs. */
  async defer(viewState: ViewState = this.getViewState()): Promise<void> {
    const view = new DeferredView(this, viewState.type);
    await view.setState(viewState.state ?? {}, { history: false });
    this.pinned = viewState.pinned ?? this.pinned;
    await this.#replaceView(view);
  }

  /** The view's plugin was unloaded. */
  async disown(): Promise<void> {
    const { type, state } = this.getViewState();
    const view = new UnknownView(this, type);
    await view.setState(state ?? {}, { history: false });
    await this.#replaceView(view);
  }

  detach(): void {
    const { view, parent } = this;
    if (parent === null) return;
    parent.removeChild(this);
    this.#workspace.forget(this);
    // As in Obsidian, it is not awaited.
    view.close().catch(reportError);
  }

  getIcon(): string {
    return this.view.getIcon();
  }

  getDisplayText(): string {
    return this.view.getDisplayText();
  }

  updateHeader(): void {
    if (this.parent instanceof WorkspaceTabs) this.parent.update();
  }

  shown(): void {
    if (this.isDeferred && this.#workspace.layoutReady) void this.loadIfDeferred();
  }

  chosen(): void {
    if (this.parent instanceof WorkspaceTabs) this.parent.selectTab(this);
    this.#workspace.setActiveLeaf(this, { focus: true });
  }

  headerMenu(event: MouseEvent): void {
    event.preventDefault();
    const menu = new Menu();
    this.view.onPaneMenu(menu, "tab-header");
    if (this.view instanceof FileView && this.view.file !== null) {
      this.#workspace.trigger("file-menu", menu, this.view.file, "tab-header", this);
    }
    menu.showAtMouseEvent(event);
  }

  async #setViewState({ type, state, active, pinned }: ViewState, eState?: State): Promise<void> {
    if (this.view.getViewType() !== type || this.isDeferred)
      await this.#replaceView(this.#create(type));
    await this.view.setState(state ?? {}, { history: false });
    if (pinned !== undefined) this.pinned = pinned;
    if (eState !== undefined) this.view.setEphemeralState(eState);
    this.updateHeader();
    if (active === true) this.chosen();
    this.#workspace.fileMayHaveChanged(this);
    this.#workspace.changed();
  }

  #create(type: string): View {
    const create = this.app.viewRegistry.creatorOf(type);
    return create?.(this) ?? new UnknownView(this, type);
  }

  async #replaceView(view: View): Promise<void> {
    const old = this.view;
    this.view = view;
    await old.close();
    await view.open(this.containerEl);
    this.updateHeader();
  }
}
