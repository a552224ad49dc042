import type {
  SettingDefinition,
  SettingDefinitionGroup,
  SettingDefinitionItem,
  SettingDefinitionPage,
} from "obsidian";
import type { App } from "../host-app.ts";
import { type Setting, SettingGroup } from "./setting.ts";
import { renderControl } from "./setting-controls.ts";

type Predicate = boolean | (() => boolean) | undefined;

const holds = (predicate: Predicate, otherwise: boolean) =>
  typeof predicate === "function" ? predicate() : (predicate ?? otherwise);

export abstract class SettingPage {
  rootEl: HTMLElement = createDiv("setting-page");
  titlebarEl: HTMLElement = this.rootEl.createDiv("setting-page-titlebar");
  containerEl: HTMLElement = this.rootEl.createDiv("setting-page-content");
  title = "";

  abstract display(): void;

  hide(): void {}
}

export abstract class SettingTab {
  icon = "";
  app: App;
  name = "";
  containerEl: HTMLElement = createDiv("vertical-tab-content");
  settingItems: SettingDefinitionItem[] = [];
  /** What to look at again when state has changed. */
  #rows: { readonly el: HTMLElement; readonly apply: () => void }[] = [];
  #undo: (() => void)[] = [];
  #page: SettingPage | undefined;

  constructor(app: App) {
    this.app = app;
  }

  getSettingDefinitions(): SettingDefinitionItem[] {
    return [];
  }

  getControlValue(_key: string): unknown {
    return undefined;
  }

  setControlValue(_key: string, _value: unknown): void | Promise<void> {}

  display(): void {}

  hide(): void {
    for (const undo of this.#undo.splice(0)) undo();
    this.#page?.hide();
    this.#page = undefined;
    this.containerEl.empty();
  }

  update(): void {
    this.settingItems = this.getSettingDefinitions();
    if (this.containerEl.isConnected && this.settingItems.length > 0) this.#renderAll();
  }

  refreshDomState(): void {
    for (const { apply } of this.#rows) apply();
  }

  /** The settings window shows the tab. */
  show(): void {
    this.settingItems = this.getSettingDefinitions();
    if (this.settingItems.length > 0) this.#renderAll();
    else this.display();
  }

  #renderAll(): void {
    for (const undo of this.#undo.splice(0)) undo();
    this.#rows = [];
    this.containerEl.empty();
    this.#renderItems(this.settingItems, this.containerEl);
    this.refreshDomState();
  }

  #renderItems(items: readonly SettingDefinitionItem[], containerEl: HTMLElement): void {
    let loose: SettingGroup | undefined;
    for (const [index, item] of items.entries()) {
      if ("type" in item && item.type !== "page") {
        loose = undefined;
        this.#renderGroup(item, containerEl);
      } else {
        loose ??= new SettingGroup(containerEl);
        this.#renderRow(item as SettingDefinition | SettingDefinitionPage, loose, index);
      }
    }
  }

  #renderGroup(definition: SettingDefinitionGroup, containerEl: HTMLElement): void {
    const group = new SettingGroup(containerEl);
    if (definition.heading !== undefined) group.setHeading(definition.heading);
    if (definition.cls !== undefined) group.addClass(...definition.cls.split(" "));
    for (const build of definition.extraButtons ?? []) group.addExtraButton(build as never);
    for (const [index, item] of (definition.items ?? []).entries())
      this.#renderRow(item, group, index);
    const list = definition as {
      emptyState?: string;
      addItem?: { name: string; action: (el: HTMLElement) => void };
    };
    if (definition.items?.length === 0 && list.emptyState !== undefined) {
      group.listEl.createDiv({ cls: "setting-list-empty", text: list.emptyState });
    }
    const { addItem } = list;
    if (addItem !== undefined) {
      group.addExtraButton((button) => {
        button.setIcon("plus").setTooltip(addItem.name);
        button.onClick(() => addItem.action(button.extraSettingsEl));
      });
    }
    this.#watch(group.groupEl, () => group.groupEl.toggle(holds(definition.visible, true)));
  }

  #renderRow(
    item: SettingDefinition | SettingDefinitionPage,
    group: SettingGroup,
    index: number,
  ): void {
    group.addSetting((setting) => {
      setting.setName(item.name);
      if (item.desc !== undefined) setting.setDesc(copyOf(item.desc));
      this.#watch(setting.settingEl, () => setting.settingEl.toggle(holds(item.visible, true)));
      if ("type" in item) this.#renderPageLink(item, setting);
      else this.#renderContent(item, setting, { group, index });
    });
  }

  #renderContent(
    item: SettingDefinition,
    setting: Setting,
    place: { group: SettingGroup; index: number },
  ): void {
    if (item.render !== undefined) {
      const undo = item.render(setting as never, place.group as never);
      if (typeof undo === "function") this.#undo.push(undo);
    } else if (item.action !== undefined) {
      const { action, disabled } = item;
      setting.settingEl.addClass("mod-clickable");
      setting.settingEl.setAttrs({ role: "button", tabindex: 0 });
      setting.settingEl.addEventListener("click", () => {
        if (!holds(disabled, false)) action(setting.settingEl, place.index);
      });
      this.#watch(setting.settingEl, () => setting.setDisabled(holds(disabled, false)));
    } else if (item.control !== undefined) {
      const { control } = item;
      renderControl(setting, control, {
        app: this.app,
        read: () => this.getControlValue(control.key) ?? control.defaultValue,
        write: async (value) => {
          await this.setControlValue(control.key, value);
          this.refreshDomState();
        },
      });
      this.#watch(setting.settingEl, () => setting.setDisabled(holds(control.disabled, false)));
    }
  }

  #renderPageLink(item: SettingDefinitionPage, setting: Setting): void {
    const { displayValue, status } = item;
    setting.settingEl.addClass("mod-page", "mod-clickable");
    setting.settingEl.setAttrs({ role: "button", tabindex: 0 });
    setting.addDisplayValue((component) => {
      component.setValue(
        (typeof displayValue === "function" ? displayValue() : displayValue) ?? null,
      );
      component.setStatus((typeof status === "function" ? status() : status) ?? null);
    });
    setting.settingEl.addEventListener("click", () => this.#openPage(item));
  }

  #openPage(item: SettingDefinitionPage): void {
    this.containerEl.empty();
    const back = this.containerEl.createEl("button", { cls: "setting-page-back", text: item.name });
    back.addEventListener("click", () => {
      this.#page?.hide();
      this.#page = undefined;
      this.#renderAll();
    });
    if (item.page === undefined) {
      this.#renderItems(item.items ?? [], this.containerEl);
      this.refreshDomState();
      return;
    }
    this.#page = item.page() as unknown as SettingPage;
    this.containerEl.append(this.#page.rootEl);
    this.#page.display();
  }

  #watch(el: HTMLElement, apply: () => void): void {
    this.#rows.push({ el, apply });
  }
}

/** A fragment is emptied by being shown; a definition is shown many times. */
function copyOf(desc: string | DocumentFragment): string | DocumentFragment {
  return typeof desc === "string" ? desc : (desc.cloneNode(true) as DocumentFragment);
}

interface PluginLike {
  readonly manifest: { readonly id: string; readonly name: string };
  settings?: unknown;
  saveData(data: unknown): Promise<void>;
}

export abstract class PluginSettingTab extends SettingTab {
  readonly plugin: PluginLike;
  readonly id: string;

  constructor(app: App, plugin: PluginLike) {
    super(app);
    this.plugin = plugin;
    this.id = plugin.manifest.id;
    this.name = plugin.manifest.name;
  }

  override getControlValue(key: string): unknown {
    return (this.plugin.settings as Record<string, unknown> | undefined)?.[key];
  }

  override async setControlValue(key: string, value: unknown): Promise<void> {
    this.plugin.settings ??= {};
    (this.plugin.settings as Record<string, unknown>)[key] = value;
    await this.plugin.saveData(this.plugin.settings);
  }
}
