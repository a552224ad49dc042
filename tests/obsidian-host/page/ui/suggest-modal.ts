import type { App } from "../host-app.ts";
import { prepareFuzzySearch, type SearchResult } from "../obsidian/search.ts";
import { Modal } from "./modal.ts";

type UserEvent = MouseEvent | KeyboardEvent;

export abstract class SuggestModal<T> extends Modal {
  limit = 100;
  emptyStateText = "No results found.";
  inputEl: HTMLInputElement;
  resultContainerEl: HTMLElement;
  #values: T[] = [];
  #selected = 0;

  constructor(app: App) {
    super(app);
    this.modalEl.className = "prompt";
    this.modalEl.empty();
    const box = this.modalEl.createDiv("prompt-input-container");
    this.inputEl = box.createEl("input", { cls: "prompt-input", type: "text" });
    this.resultContainerEl = this.modalEl.createDiv("prompt-results");
    this.inputEl.addEventListener("input", () => void this.#update());
    this.scope.register([], "ArrowDown", () => this.#move(1));
    this.scope.register([], "ArrowUp", () => this.#move(-1));
    this.scope.register(null, "Enter", (event) => {
      this.selectActiveSuggestion(event);
      return false;
    });
  }

  abstract getSuggestions(query: string): T[] | Promise<T[]>;
  abstract renderSuggestion(value: T, el: HTMLElement): void;
  abstract onChooseSuggestion(item: T, event: UserEvent): void;

  override open(): void {
    super.open();
    this.inputEl.focus();
    void this.#update();
  }

  setPlaceholder(placeholder: string): void {
    this.inputEl.placeholder = placeholder;
  }

  selectSuggestion(value: T, event: UserEvent): void {
    this.close();
    this.onChooseSuggestion(value, event);
  }

  selectActiveSuggestion(event: UserEvent): void {
    const value = this.#values[this.#selected];
    if (value !== undefined) this.selectSuggestion(value, event);
  }

  async #update(): Promise<void> {
    const found = await this.getSuggestions(this.inputEl.value);
    this.#values = found.slice(0, this.limit);
    this.#selected = 0;
    this.resultContainerEl.empty();
    for (const value of this.#values) {
      const el = this.resultContainerEl.createDiv("suggestion-item");
      this.renderSuggestion(value, el);
      el.addEventListener("click", (event) => this.selectSuggestion(value, event));
    }
    this.#move(0);
  }

  #move(step: number): false {
    const items = this.resultContainerEl.findAll(".suggestion-item");
    this.#selected = Math.max(0, Math.min(items.length - 1, this.#selected + step));
    for (const [index, el] of items.entries())
      el.toggleClass("is-selected", index === this.#selected);
    return false;
  }
}

export interface FuzzyMatch<T> {
  item: T;
  match: SearchResult;
}

export abstract class FuzzySuggestModal<T> extends SuggestModal<FuzzyMatch<T>> {
  abstract getItems(): T[];
  abstract getItemText(item: T): string;
  abstract onChooseItem(item: T, event: UserEvent): void;

  getSuggestions(query: string): FuzzyMatch<T>[] {
    const search = prepareFuzzySearch(query);
    return this.getItems()
      .map((item) => ({ item, match: search(this.getItemText(item)) }))
      .filter((found): found is FuzzyMatch<T> => found.match !== null)
      .sort((a, b) => b.match.score - a.match.score);
  }

  renderSuggestion({ item }: FuzzyMatch<T>, el: HTMLElement): void {
    el.setText(this.getItemText(item));
  }

  onChooseSuggestion({ item }: FuzzyMatch<T>, event: UserEvent): void {
    this.onChooseItem(item, event);
  }
}
