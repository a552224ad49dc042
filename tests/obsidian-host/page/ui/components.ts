import { setIcon } from "./icons.ts";
import { setTooltip } from "./tooltip.ts";

type Input = HTMLInputElement | HTMLTextAreaElement;

export abstract class BaseComponent {
  disabled = false;

  setDisabled(disabled: boolean): this {
    this.disabled = disabled;
    return this;
  }
}

export abstract class ValueComponent<T> extends BaseComponent {
  abstract getValue(): T;
  abstract setValue(value: T): this;
}

export class ButtonComponent extends BaseComponent {
  buttonEl: HTMLButtonElement;
  #click: (event: MouseEvent) => unknown = () => {};

  constructor(containerEl: HTMLElement) {
    super();
    this.buttonEl = containerEl.createEl("button");
    this.buttonEl.addEventListener("click", (event) => this.#click(event));
  }

  setCta(): this {
    this.buttonEl.addClass("mod-cta");
    return this;
  }

  setButtonText(name: string): this {
    this.buttonEl.setText(name);
    return this;
  }

  setIcon(icon: string): this {
    setIcon(this.buttonEl, icon);
    return this;
  }

  onClick(handler: (event: MouseEvent) => unknown): this {
    this.#click = handler;
    return this;
  }
}

export class ExtraButtonComponent extends BaseComponent {
  extraSettingsEl: HTMLElement;
  #click: () => unknown = () => {};

  constructor(containerEl: HTMLElement) {
    super();
    const attr = { role: "button", tabindex: "0" };
    this.extraSettingsEl = containerEl.createDiv({
      cls: "clickable-icon extra-setting-button",
      attr,
    });
    this.setIcon("settings");
    this.extraSettingsEl.addEventListener("click", () => this.disabled || this.#click());
  }

  setTooltip(tooltip: string): this {
    setTooltip(this.extraSettingsEl, tooltip);
    return this;
  }

  setIcon(icon: string): this {
    setIcon(this.extraSettingsEl, icon);
    return this;
  }

  onClick(handler: () => unknown): this {
    this.#click = handler;
    return this;
  }
}

export class ToggleComponent extends ValueComponent<boolean> {
  toggleEl: HTMLElement;
  readonly #input: HTMLInputElement;
  #change: (value: boolean) => unknown = () => {};

  constructor(containerEl: HTMLElement) {
    super();
    this.toggleEl = containerEl.createEl("label", "checkbox-container") as HTMLElement;
    this.#input = this.toggleEl.createEl("input", { type: "checkbox" });
    this.#input.addEventListener("change", () => {
      this.#show();
      this.#change(this.#input.checked);
    });
  }

  override setDisabled(disabled: boolean): this {
    this.#input.disabled = disabled;
    this.toggleEl.toggleClass("is-disabled", disabled);
    return super.setDisabled(disabled);
  }

  getValue(): boolean {
    return this.#input.checked;
  }

  setValue(on: boolean): this {
    const changed = on !== this.#input.checked;
    this.#input.checked = on;
    this.#show();
    if (changed) this.#change(on);
    return this;
  }

  onClick(): void {
    this.setValue(!this.getValue());
  }

  onChange(emit: (value: boolean) => unknown): this {
    this.#change = emit;
    return this;
  }

  #show(): void {
    this.toggleEl.toggleClass("is-enabled", this.#input.checked);
  }
}

export class AbstractTextComponent<T extends Input> extends ValueComponent<string> {
  inputEl: T;
  #change: (value: string) => unknown = () => {};

  constructor(inputEl: T) {
    super();
    this.inputEl = inputEl;
    inputEl.addEventListener("input", () => this.#change(this.getValue()));
  }

  override setDisabled(disabled: boolean): this {
    this.inputEl.disabled = disabled;
    return super.setDisabled(disabled);
  }

  getValue(): string {
    return this.inputEl.value;
  }

  setValue(value: string): this {
    this.inputEl.value = value;
    return this;
  }

  setPlaceholder(placeholder: string): this {
    this.inputEl.placeholder = placeholder;
    return this;
  }

  onChange(emit: (value: string) => unknown): this {
    this.#change = emit;
    return this;
  }
}

export class TextComponent extends AbstractTextComponent<HTMLInputElement> {
  constructor(containerEl: HTMLElement) {
    super(containerEl.createEl("input", { type: "text", attr: { spellcheck: "false" } }));
  }
}
