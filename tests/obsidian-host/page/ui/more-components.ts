import { BaseComponent, ValueComponent } from "./components.ts";

export class DropdownComponent extends ValueComponent<string> {
  selectEl: HTMLSelectElement;
  #change: (value: string) => unknown = () => {};

  constructor(containerEl: HTMLElement) {
    super();
    this.selectEl = containerEl.createEl("select", "dropdown");
    this.selectEl.addEventListener("change", () => this.#change(this.getValue()));
  }

  override setDisabled(disabled: boolean): this {
    this.selectEl.disabled = disabled;
    return super.setDisabled(disabled);
  }

  addOption(value: string, display: string): this {
    this.selectEl.createEl("option", { value, text: display });
    return this;
  }

  addOptions(options: Record<string, string>): this {
    for (const [value, display] of Object.entries(options)) this.addOption(value, display);
    return this;
  }

  getValue(): string {
    return this.selectEl.value;
  }

  setValue(value: string): this {
    this.selectEl.value = value;
    return this;
  }

  onChange(emit: (value: string) => unknown): this {
    this.#change = emit;
    return this;
  }
}

export class SliderComponent extends ValueComponent<number> {
  sliderEl: HTMLInputElement;
  #change: (value: number) => unknown = () => {};
  #format: (value: number) => string = String;

  constructor(containerEl: HTMLElement) {
    super();
    this.sliderEl = containerEl.createEl("input", { cls: "slider", type: "range" });
    this.sliderEl.addEventListener("change", () => this.#change(this.getValue()));
  }

  override setDisabled(disabled: boolean): this {
    this.sliderEl.disabled = disabled;
    return super.setDisabled(disabled);
  }

  setInstant(): this {
    return this;
  }

  setLimits(min: number | null, max: number | null, step: number | "any"): this {
    this.sliderEl.min = String(min ?? "");
    this.sliderEl.max = String(max ?? "");
    this.sliderEl.step = String(step);
    return this;
  }

  getValue(): number {
    return this.sliderEl.valueAsNumber;
  }

  setValue(value: number): this {
    this.sliderEl.valueAsNumber = value;
    return this;
  }

  getValuePretty(): string {
    return this.#format(this.getValue());
  }

  setDisplayFormat(format: (value: number) => string): this {
    this.#format = format;
    return this;
  }

  setDynamicTooltip(): this {
    return this;
  }

  onChange(emit: (value: number) => unknown): this {
    this.#change = emit;
    return this;
  }
}

export class ProgressBarComponent extends ValueComponent<number> {
  readonly progressBar: HTMLElement;
  readonly #line: HTMLElement;
  #value = 0;

  constructor(containerEl: HTMLElement) {
    super();
    this.progressBar = containerEl.createDiv({
      cls: "setting-progress-bar",
      attr: { role: "progressbar" },
    });
    this.#line = this.progressBar.createDiv("setting-progress-bar-inner");
  }

  getValue(): number {
    return this.#value;
  }

  setValue(value: number): this {
    this.#value = value;
    this.#line.setCssStyles({ width: `${value}%` });
    this.progressBar.setAttr("aria-valuenow", value);
    return this;
  }
}

export class ColorComponent extends ValueComponent<string> {
  readonly colorPickerEl: HTMLInputElement;
  #change: (value: string) => unknown = () => {};

  constructor(containerEl: HTMLElement) {
    super();
    this.colorPickerEl = containerEl.createEl("input", { type: "color" });
    this.colorPickerEl.addEventListener("input", () => this.#change(this.getValue()));
  }

  getValue(): string {
    return this.colorPickerEl.value;
  }

  setValue(value: string): this {
    this.colorPickerEl.value = value;
    return this;
  }

  onChange(emit: (value: string) => unknown): this {
    this.#change = emit;
    return this;
  }
}

export class DisplayValueComponent extends BaseComponent {
  valueEl: HTMLElement;

  constructor(containerEl: HTMLElement) {
    super();
    this.valueEl = containerEl.createDiv("setting-item-value");
  }

  setValue(value: string | null): this {
    this.valueEl.setText(value ?? "");
    return this;
  }

  setStatus(status: "warning" | null): this {
    this.valueEl.toggleClass("mod-warning", status === "warning");
    return this;
  }
}
