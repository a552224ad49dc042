import { emitMigration } from "../obsidian/dom-events.ts";
import { Events } from "../obsidian/events.ts";

/** What an item needs from its workspace. */
export interface Owner {
  /** The tree has changed; empty parents may be removed. */
  changed(): void;
  emptied(parent: WorkspaceParent): void;
}

export abstract class WorkspaceItem extends Events {
  parent: WorkspaceParent | null = null;
  containerEl: HTMLElement;
  id: string = crypto.randomUUID().slice(0, 16).replaceAll("-", "");
  readonly owner: Owner;

  constructor(owner: Owner, cls: string) {
    super();
    this.owner = owner;
    this.containerEl = createDiv(cls);
  }

  getRoot(): WorkspaceItem {
    let item: WorkspaceItem = this;
    while (item.parent !== null && !(item.parent instanceof WorkspaceFloating)) item = item.parent;
    return item;
  }

  getContainer(): WorkspaceContainer {
    const root = this.getRoot();
    return root instanceof WorkspaceContainer
      ? root
      : (mainContainers.get(this.owner) as WorkspaceContainer);
  }
}

/** Sidebars are in the main window. */
const mainContainers = new WeakMap<Owner, WorkspaceContainer>();

export abstract class WorkspaceParent extends WorkspaceItem {
  children: WorkspaceItem[] = [];

  get childrenEl(): HTMLElement {
    return this.containerEl;
  }

  insertChild(index: number, child: WorkspaceItem): void {
    const before = this.children[index];
    this.children.splice(index, 0, child);
    child.parent = this;
    const { doc } = child.containerEl;
    this.childrenEl.insertBefore(child.containerEl, before?.containerEl ?? null);
    const { win } = this.containerEl;
    if (doc !== win.document) emitMigration(child.containerEl, win);
    this.owner.changed();
  }

  appendChild(child: WorkspaceItem): void {
    this.insertChild(this.children.length, child);
  }

  removeChild(child: WorkspaceItem): void {
    const at = this.children.indexOf(child);
    if (at < 0) return;
    this.children.splice(at, 1);
    child.parent = null;
    child.containerEl.remove();
    if (this.children.length === 0) this.owner.emptied(this);
    this.owner.changed();
  }
}

export class WorkspaceSplit extends WorkspaceParent {
  direction: "vertical" | "horizontal" = "vertical";

  constructor(owner: Owner, direction: "vertical" | "horizontal", cls = "") {
    super(owner, `workspace-split mod-${direction} ${cls}`.trim());
    this.direction = direction;
  }
}

export abstract class WorkspaceContainer extends WorkspaceSplit {
  abstract win: Window;
  abstract doc: Document;
}

export class WorkspaceRoot extends WorkspaceContainer {
  win: Window = window;
  doc: Document = document;

  constructor(owner: Owner) {
    super(owner, "vertical", "mod-root");
    mainContainers.set(owner, this);
  }
}

export class WorkspaceFloating extends WorkspaceParent {
  constructor(owner: Owner) {
    super(owner, "workspace-floating");
  }

  /** Its windows have their own documents: nothing is added to the main one. */
  override insertChild(index: number, child: WorkspaceItem): void {
    this.children.splice(index, 0, child);
    child.parent = this;
    this.owner.changed();
  }
}

export class WorkspaceSidedock extends WorkspaceSplit {
  collapsed = false;

  constructor(owner: Owner, side: "left" | "right") {
    super(owner, "horizontal", `mod-sidedock mod-${side}-split`);
    if (side === "right") this.collapse();
  }

  collapse(): void {
    this.collapsed = true;
    this.containerEl.addClass("is-sidedock-collapsed");
  }

  expand(): void {
    this.collapsed = false;
    this.containerEl.removeClass("is-sidedock-collapsed");
  }
}

export class WorkspaceRibbon {
  readonly containerEl: HTMLElement;

  constructor(side: "left" | "right") {
    this.containerEl = createDiv(`workspace-ribbon side-dock-ribbon mod-${side}`);
  }
}

export class WorkspaceMobileDrawer extends WorkspaceParent {}
