import { type App, Modal } from "obsidian";
import { texts } from "../texts/index.ts";
import { type ConnectionPanelParts, renderConnectionPanel } from "./connection-panel.ts";

/** The connection panel on its own, for a command. */
export class ConnectionModal extends Modal {
  readonly #parts: ConnectionPanelParts;
  #stop: (() => void) | undefined;

  constructor(app: App, parts: ConnectionPanelParts) {
    super(app);
    this.#parts = parts;
  }

  override onOpen(): void {
    this.setTitle(texts.connection.title);
    this.#stop = renderConnectionPanel(this.contentEl, this.#parts);
  }

  override onClose(): void {
    this.#stop?.();
    this.contentEl.empty();
  }
}
