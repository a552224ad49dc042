import type {} from "obsidian";
import { migrating } from "./dom-events.ts";

type Info = string | DomElementInfo | undefined;
type Methods = Record<string, unknown>;
type View = Window & typeof globalThis;

function extend(prototype: object, methods: Methods): void {
  for (const [name, value] of Object.entries(Object.getOwnPropertyDescriptors(methods))) {
    Object.defineProperty(prototype, name, { ...value, enumerable: false, configurable: true });
  }
}

function make<E extends Element>(el: E, info: Info, done?: (el: E) => void): E {
  const { cls, text, attr, title, value, type, placeholder, href, parent, prepend } =
    typeof info === "string" ? ({ cls: info } as DomElementInfo) : (info ?? {});
  if (cls !== undefined)
    el.classList.add(...(Array.isArray(cls) ? cls : cls.split(" ")).filter(Boolean));
  if (text !== undefined) el.append(text);
  for (const [name, each] of Object.entries({ title, value, type, placeholder, href })) {
    if (each !== undefined) Reflect.set(el, name, each);
  }
  for (const [name, each] of Object.entries(attr ?? {}))
    if (each !== null) el.setAttribute(name, String(each));
  if (prepend === true) parent?.insertBefore(el, parent.firstChild);
  else parent?.appendChild(el);
  done?.(el);
  return el;
}

const svgName = "http://www.w3.org/2000/svg";

/** On a node, createEl and its variants append what they create. */
const nodeMethods = {
  createEl(this: Node, tag: string, info?: Info, done?: (el: Element) => void) {
    return make(this.doc.createElement(tag) as Element, inside(this, info), done);
  },
  createDiv(this: Node, info?: Info, done?: (el: HTMLDivElement) => void) {
    return this.createEl("div", info, done);
  },
  createSpan(this: Node, info?: Info, done?: (el: HTMLSpanElement) => void) {
    return this.createEl("span", info, done);
  },
  empty(this: Node) {
    while (this.lastChild !== null) this.removeChild(this.lastChild);
  },
  get doc(): Document {
    const node = this as unknown as Node;
    return node.nodeType === 9 ? (node as Document) : (node.ownerDocument ?? document);
  },
  get win(): Window {
    return (this as unknown as Node).doc.defaultView ?? window;
  },
  /** Whether it is an instance of the class of that name in its own window. */
  instanceOf(this: Node, { name }: { readonly name: string }) {
    const type: unknown = Reflect.get(this.win, name);
    return typeof type === "function" && this instanceof type;
  },
};

function inside(parent: Node, info: Info): DomElementInfo {
  return typeof info === "string" ? { cls: info, parent } : { ...info, parent };
}

const elementMethods = {
  getText(this: Element) {
    return this.textContent ?? "";
  },
  setText(this: Element, value: string | DocumentFragment) {
    if (typeof value === "string") this.textContent = value;
    else this.replaceChildren(value);
  },
  addClass(this: Element, ...names: string[]) {
    this.classList.add(...names);
  },
  removeClass(this: Element, ...names: string[]) {
    this.classList.remove(...names);
  },
  toggleClass(this: Element, names: string | string[], on: boolean) {
    for (const name of Array.isArray(names) ? names : [names]) this.classList.toggle(name, on);
  },
  setAttr(this: Element, name: string, value: string | number | boolean | null) {
    if (value === null) this.removeAttribute(name);
    else this.setAttribute(name, String(value));
  },
  setAttrs(this: Element, values: Record<string, string | number | boolean | null>) {
    for (const [name, value] of Object.entries(values)) this.setAttr(name, value);
  },
  setCssStyles(this: HTMLElement, styles: Partial<CSSStyleDeclaration>) {
    Object.assign(this.style, styles);
  },
};

const finders = {
  find(this: ParentNode, selector: string) {
    return this.querySelector(selector);
  },
  findAll(this: ParentNode, selector: string) {
    return [...this.querySelectorAll(selector)];
  },
};

const htmlMethods = {
  hide(this: HTMLElement) {
    this.style.display = "none";
  },
  toggle(this: HTMLElement, on: boolean) {
    this.style.display = on ? "" : "none";
  },
  isShown(this: HTMLElement) {
    return this.offsetParent !== null;
  },
};

/** Adds Obsidian's helpers for elements and events to a window. */
export function installDom(win: View): void {
  extend(win.Node.prototype, nodeMethods);
  extend(win.Element.prototype, { ...elementMethods, ...finders });
  extend(win.DocumentFragment.prototype, finders);
  extend(win.HTMLElement.prototype, htmlMethods);
  extend(win.HTMLElement.prototype, migrating);
  const loose = (tag?: string) => (first: string | Info, second?: unknown, third?: unknown) => {
    const [name, info, done] =
      tag === undefined ? [first as string, second, third] : [tag, first, second];
    return make(document.createElement(name) as Element, info as Info, done as () => void);
  };
  Object.assign(win, {
    createEl: loose(),
    createDiv: loose("div"),
    createSpan: loose("span"),
    createSvg: (tag: string, info?: Info, done?: (el: Element) => void) =>
      make(document.createElementNS(svgName, tag), info, done),
    createFragment: (done?: (el: DocumentFragment) => void) => {
      const fragment = document.createDocumentFragment();
      done?.(fragment);
      return fragment;
    },
  });
}
