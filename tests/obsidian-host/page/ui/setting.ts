import {
  type BaseComponent,
  ButtonComponent,
  ExtraButtonComponent,
  TextComponent,
  ToggleComponent,
} from "./components.ts";
import { DropdownComponent } from "./more-components.ts";

type Text = string | DocumentFragment;
type Build<T> = (component: T) => unknown;

export class Setting {
  settingEl: HTMLElement;
  infoEl: HTMLElement;
  nameEl: HTMLElement;
  descEl: HTMLElement;
  controlEl: HTMLElement;
  components: BaseComponent[] = [];
  errorEl: HTMLElement | null = null;

  constructor(containerEl: HTMLElement) {
    this.settingEl = containerEl.createDiv("setting-item");
    this.infoEl = this.settingEl.createDiv("setting-item-info");
    this.nameEl = this.infoEl.createDiv("setting-item-name");
    this.descEl = this.infoEl.createDiv("setting-item-description");
    this.controlEl = this.settingEl.createDiv("setting-item-control");
  }

  setErrorMessage(message: string | null): this {
    this.errorEl?.remove();
    this.errorEl = null;
    if (message === null) return this;
    const attr = { role: "alert" };
    this.errorEl = this.infoEl.createDiv({ cls: "setting-item-error", text: message, attr });
    return this;
  }

  setName(name: Text): this {
    this.nameEl.setText(name);
    return this;
  }

  setDesc(desc: Text): this {
    this.descEl.setText(desc);
    return this;
  }

  setHeading(): this {
    this.settingEl.addClass("setting-item-heading");
    return this;
  }

  addButton(build: Build<ButtonComponent>): this {
    return this.#add(new ButtonComponent(this.controlEl), build);
  }

  addExtraButton(build: Build<ExtraButtonComponent>): this {
    build(new ExtraButtonComponent(this.controlEl));
    return this;
  }

  setDisabled(disabled: boolean): this {
    this.settingEl.toggleClass("is-disabled", disabled);
    for (const component of this.components) component.setDisabled(disabled);
    return this;
  }

  addToggle(build: Build<ToggleComponent>): this {
    this.settingEl.addClass("mod-toggle");
    return this.#add(new ToggleComponent(this.controlEl), build);
  }

  addText(build: Build<TextComponent>): this {
    return this.#add(new TextComponent(this.controlEl), build);
  }

  addDropdown(build: Build<DropdownComponent>): this {
    return this.#add(new DropdownComponent(this.controlEl), build);
  }

  #add<T extends BaseComponent>(component: T, build: Build<T>): this {
    this.#keep(component);
    build(component);
    return this;
  }

  /** A control is labelled with the name of its row. */
  #keep(component: BaseComponent): void {
    this.components.push(component);
    const name = this.nameEl.getText();
    for (const input of this.controlEl.findAll("input, select, textarea")) {
      if (name !== "" && !input.hasAttribute("aria-label")) input.setAttribute("aria-label", name);
    }
  }
}

export class SettingGroup {
  listEl: HTMLElement;
  readonly groupEl: HTMLElement;
  readonly #headingEl: HTMLElement;

  constructor(containerEl: HTMLElement) {
    this.groupEl = containerEl.createDiv("setting-group");
    this.#headingEl = this.groupEl.createDiv("setting-group-heading");
    this.listEl = this.groupEl.createDiv("setting-items");
  }

  setHeading(text: Text): this {
    const attr = { role: "heading", "aria-level": 3 };
    this.#headingEl.createDiv({ cls: "setting-group-title", text, attr });
    return this;
  }

  addClass(...classes: string[]): this {
    this.groupEl.addClass(...classes);
    return this;
  }

  addSetting(build: (setting: Setting) => void): this {
    build(new Setting(this.listEl));
    return this;
  }

  addExtraButton(build: Build<ExtraButtonComponent>): this {
    build(new ExtraButtonComponent(this.#headingEl));
    return this;
  }
}
