import type { App } from "../host-app.ts";
import { setIcon } from "./icons.ts";
import { Scope } from "./keymap.ts";

/** Modals that are on the screen now. */
export const openModals = new Set<Modal>();

export class Modal {
  app: App;
  scope: Scope;
  containerEl: HTMLElement;
  modalEl: HTMLElement;
  titleEl: HTMLElement;
  contentEl: HTMLElement;
  shouldRestoreSelection = true;
  #before: Element | null = null;
  #closed: (() => unknown) | undefined;

  constructor(app: App) {
    this.app = app;
    this.scope = new Scope(app.scope);
    this.scope.register([], "Escape", () => {
      this.close();
      return false;
    });
    this.containerEl = createDiv("modal-container mod-dim");
    const shade = this.containerEl.createDiv("modal-bg");
    this.modalEl = this.containerEl.createDiv({
      cls: "modal",
      attr: { role: "dialog", "aria-modal": "true" },
    });
    const button = {
      cls: "modal-close-button",
      attr: { "aria-label": "Close", role: "button", tabindex: "0" },
    };
    const close = this.modalEl.createDiv(button);
    setIcon(close, "x");
    const header = this.modalEl.createDiv("modal-header");
    this.titleEl = header.createDiv("modal-title");
    this.contentEl = this.modalEl.createDiv("modal-content");
    for (const el of [shade, close]) el.addEventListener("click", () => this.close());
  }

  open(): void {
    if (openModals.has(this)) return;
    this.#before = document.activeElement;
    openModals.add(this);
    activeDocument.body.append(this.containerEl);
    this.app.keymap.pushScope(this.scope);
    this.modalEl.tabIndex = -1;
    this.modalEl.focus();
    void this.onOpen();
  }

  close(): void {
    if (!openModals.delete(this)) return;
    this.app.keymap.popScope(this.scope);
    this.containerEl.remove();
    if (this.shouldRestoreSelection && this.#before instanceof HTMLElement) this.#before.focus();
    this.onClose();
    this.#closed?.();
  }

  onOpen(): Promise<void> | void {}

  onClose(): void {}

  setTitle(title: string): this {
    this.titleEl.setText(title);
    return this;
  }
}
