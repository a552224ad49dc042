import { watchWindowTimers } from "../node/timers.ts";
import { installDom } from "../obsidian/dom.ts";
import { type Owner, WorkspaceContainer } from "./items.ts";

export interface WindowData {
  readonly x?: number;
  readonly y?: number;
  readonly size?: { readonly width: number; readonly height: number };
}

type View = Window & typeof globalThis;

/** A separate window in the same process: the same script, but its own constructors. */
export class WorkspaceWindow extends WorkspaceContainer {
  win: View;
  doc: Document;

  constructor(owner: Owner, { size = { width: 800, height: 600 } }: WindowData = {}) {
    super(owner, "vertical", "mod-root");
    const features = `popup,width=${size.width},height=${size.height}`;
    const win = window.open("about:blank", "", features) as View | null;
    if (win === null) throw new Error("The browser opened no window");
    this.win = win;
    this.doc = win.document;
    watchWindowTimers(win);
    installDom(win);
    for (const name of ["activeWindow", "activeDocument"] as const) {
      Object.defineProperty(win, name, { get: () => window[name], configurable: true });
    }
    this.doc.title = document.title;
    this.copyStyles();
    this.doc.documentElement.lang = "en";
    this.doc.body.className = `${document.body.className} is-popout-window`;
    const box = this.doc.body.appendChild(this.doc.createElement("div"));
    box.className = "app-container";
    box.append(this.doc.adoptNode(this.containerEl));
    win.addEventListener("pagehide", () => this.closed());
  }

  /** Called when the window closes; set by the workspace. */
  closed: () => void = () => {};

  /** Inlines linked style sheets: one that loads later would shift the layout. */
  copyStyles(): void {
    for (const old of this.doc.head.querySelectorAll("style, link")) old.remove();
    for (const el of document.head.querySelectorAll("style, link[rel=stylesheet]")) {
      const copy = this.doc.createElement("style");
      copy.textContent = el instanceof HTMLLinkElement ? textOf(el.sheet) : el.textContent;
      this.doc.head.append(copy);
    }
  }
}

function textOf(sheet: CSSStyleSheet | null): string {
  return [...(sheet?.cssRules ?? [])].map(({ cssText }) => cssText).join("\n");
}
