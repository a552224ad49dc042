import { Component } from "../obsidian/component.ts";
import { setIcon } from "./icons.ts";

type ClickHandler = (event: MouseEvent | KeyboardEvent) => unknown;

export class MenuItem {
  readonly dom: HTMLElement;
  readonly titleEl: HTMLElement;
  readonly iconEl: HTMLElement;
  section = "";
  #click: ClickHandler = () => {};
  #disabled = false;

  constructor(menu: Menu) {
    this.dom = createDiv({ cls: "menu-item tappable", attr: { role: "menuitem", tabindex: "-1" } });
    this.iconEl = this.dom.createDiv("menu-item-icon");
    this.titleEl = this.dom.createDiv("menu-item-title");
    this.dom.addEventListener("click", (event) => {
      if (this.#disabled) return;
      menu.hide();
      this.#click(event);
    });
  }

  setTitle(title: string | DocumentFragment): this {
    this.titleEl.setText(title);
    return this;
  }

  setIcon(icon: string | null): this {
    if (icon === null) this.iconEl.empty();
    else setIcon(this.iconEl, icon);
    return this;
  }

  setChecked(checked: boolean | null): this {
    this.dom.toggleClass("mod-checked", checked === true);
    this.dom.setAttr("aria-checked", checked);
    if (checked === true) this.setIcon("check");
    return this;
  }

  setIsLabel(isLabel: boolean): this {
    this.dom.toggleClass("is-label", isLabel);
    return this;
  }

  onClick(handler: ClickHandler): this {
    this.#click = handler;
    return this;
  }

  setSection(section: string): this {
    this.section = section;
    return this;
  }
}

export class MenuSeparator {}

/** Menus that are on the screen now. */
export const openMenus = new Set<Menu>();

export class Menu extends Component {
  readonly items: (MenuItem | MenuSeparator)[] = [];
  readonly #hidden: (() => unknown)[] = [];
  #dom: HTMLElement | undefined;
  #undo: (() => void) | undefined;

  static forEvent(event: MouseEvent): Menu {
    const known = forEvents.get(event) ?? new Menu();
    forEvents.set(event, known);
    return known;
  }

  addItem(build: (item: MenuItem) => unknown): this {
    const item = new MenuItem(this);
    this.items.push(item);
    build(item);
    return this;
  }

  addSeparator(): this {
    this.items.push(new MenuSeparator());
    return this;
  }

  showAtMouseEvent(event: MouseEvent): this {
    const { clientX: x, clientY: y } = event;
    const target = event.target as Node | null;
    return this.showAtPosition({ x, y }, target?.doc);
  }

  showAtPosition({ x, y }: { x: number; y: number }, doc: Document = document): this {
    this.hide();
    const dom = doc.body.createDiv({ cls: "menu", attr: { role: "menu" } });
    const sections = [
      ...new Set(this.items.map((item) => (item instanceof MenuItem ? item.section : ""))),
    ];
    for (const [index, section] of sections.entries()) {
      if (index > 0) dom.createDiv("menu-separator");
      for (const item of this.items) {
        if (!(item instanceof MenuItem)) {
          if (section === "") dom.createDiv("menu-separator");
        } else if (item.section === section) dom.append(item.dom);
      }
    }
    const bounds = {
      width: doc.documentElement.clientWidth,
      height: doc.documentElement.clientHeight,
    };
    dom.setCssStyles({
      left: `${Math.max(0, Math.min(x, bounds.width - dom.offsetWidth))}px`,
      top: `${Math.max(0, Math.min(y, bounds.height - dom.offsetHeight))}px`,
    });
    this.#dom = dom;
    openMenus.add(this);
    this.#listen(doc, dom);
    return this;
  }

  hide(): this {
    if (this.#dom === undefined) return this;
    this.#dom.remove();
    this.#dom = undefined;
    this.#undo?.();
    openMenus.delete(this);
    for (const emit of this.#hidden) emit();
    this.unload();
    return this;
  }

  close(): void {
    this.hide();
  }

  #listen(doc: Document, dom: HTMLElement): void {
    const away = (event: Event) => {
      if (!dom.contains(event.target as Node)) this.hide();
    };
    const key = (event: KeyboardEvent) => {
      if (event.key === "Escape") this.hide();
    };
    doc.addEventListener("mousedown", away, true);
    doc.addEventListener("keydown", key, true);
    this.#undo = () => {
      doc.removeEventListener("mousedown", away, true);
      doc.removeEventListener("keydown", key, true);
    };
  }
}

const forEvents = new WeakMap<Event, Menu>();
