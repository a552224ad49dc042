import { ItemView, type State, type ViewStateResult } from "./view.ts";

/**
 * The web viewer: the page is in a frame that the window's document cannot access, as in the app's
 * `webview`; reader mode shows its text in the document itself.
 */
export class WebView extends ItemView {
  #state: State = {};

  getViewType(): string {
    return "webviewer";
  }

  getDisplayText(): string {
    return String(this.#state["title"] ?? "");
  }

  override getState(): State {
    return this.#state;
  }

  override async setState(state: State, _result: ViewStateResult): Promise<void> {
    this.#state = state;
    this.contentEl.empty();
    const { text, mode } = state;
    if (mode === "reader")
      this.contentEl.createDiv({ cls: "markdown-rendered", text: String(text) });
    else {
      const srcdoc = `<p>${String(text)}</p>`;
      this.contentEl.createEl("iframe", { attr: { sandbox: "", srcdoc } });
    }
    this.updateHeader();
  }
}
