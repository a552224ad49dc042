import { type App, SuggestModal } from "obsidian";

export interface NameChooserOptions {
  readonly placeholder: string;
  readonly names: readonly string[];
  /** Called with a name from the list or any other that was typed. */
  readonly choose: (name: string) => void;
}

/** Asks for a folder or a tag. */
export class NameChooser extends SuggestModal<string> {
  readonly #options: NameChooserOptions;

  constructor(app: App, options: NameChooserOptions) {
    super(app);
    this.#options = options;
    this.setPlaceholder(options.placeholder);
  }

  override getSuggestions(query: string): string[] {
    const wanted = query.trim();
    const words = wanted.toLowerCase();
    const found = this.#options.names.filter((name) => name.toLowerCase().includes(words));
    return wanted === "" || found.includes(wanted) ? found : [...found, wanted];
  }

  override renderSuggestion(name: string, element: HTMLElement): void {
    element.setText(name);
  }

  override onChooseSuggestion(name: string): void {
    this.#options.choose(name);
  }
}
