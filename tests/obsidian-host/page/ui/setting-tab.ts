import type {
  SettingDefinition,
  SettingDefinitionGroup,
  SettingDefinitionItem,
  SettingDefinitionPage,
} from "obsidian";
import type { App } from "../host-app.ts";
import { requireApiVersion } from "../obsidian/misc.ts";
import { type Setting, SettingGroup } from "./setting.ts";
import { renderControl } from "./setting-controls.ts";

type Predicate = boolean | (() => boolean) | undefined;

const holds = (predicate: Predicate, otherwise: boolean) =>
  typeof predicate === "function" ? predicate() : (predicate ?? otherwise);

export abstract class SettingTab {
  icon = "";
  app: App;
  name = "";
  containerEl: HTMLElement = createDiv("vertical-tab-content");
  settingItems: SettingDefinitionItem[] = [];
  /** The rows to update when the state changes. */
  #rows: { readonly el: HTMLElement; readonly apply: () => void }[] = [];
  #undo: (() => void)[] = [];
  /** The name of the page that is open, inside the tab. */
  #page: string | undefined;

  constructor(app: App) {
    this.app = app;
  }

  abstract getSettingDefinitions(): SettingDefinitionItem[];
  abstract getControlValue(key: string): unknown;
  abstract setControlValue(key: string, value: unknown): void | Promise<void>;

  hide(): void {
    this.#page = undefined;
    for (const undo of this.#undo.splice(0)) undo();
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
    if (!requireApiVersion("1.13.0")) {
      (this as unknown as { display(): void }).display();
      return;
    }
    this.settingItems = this.getSettingDefinitions();
    this.#renderAll();
  }

  #renderAll(): void {
    for (const undo of this.#undo.splice(0)) undo();
    this.#rows = [];
    this.containerEl.empty();
    const page = pagesOf(this.settingItems).find(({ name }) => name === this.#page);
    if (page !== undefined) this.#renderTitle(page);
    this.#renderItems(page?.items ?? this.settingItems, this.containerEl);
    this.refreshDomState();
  }

  #turn(page: string | undefined): void {
    this.#page = page;
    this.#renderAll();
  }

  #renderTitle({ name }: SettingDefinitionPage): void {
    const title = this.containerEl.createDiv("setting-page-title");
    const back = title.createEl("button", { text: "Back" });
    back.addEventListener("click", () => this.#turn(undefined));
    title.createSpan({ text: name });
  }

  #renderItems(items: readonly SettingDefinitionItem[], containerEl: HTMLElement): void {
    let loose: SettingGroup | undefined;
    for (const [index, item] of items.entries()) {
      if ("type" in item && item.type !== "page") {
        loose = undefined;
        this.#renderGroup(item as SettingDefinitionGroup, containerEl);
      } else {
        loose ??= new SettingGroup(containerEl);
        this.#renderRow(item, loose, index);
      }
    }
  }

  #renderGroup(definition: SettingDefinitionGroup, containerEl: HTMLElement): void {
    const group = new SettingGroup(containerEl);
    if (definition.heading !== undefined) group.setHeading(definition.heading);
    if (definition.cls !== undefined) group.addClass(...definition.cls.split(" "));
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

  #renderPageRow({ name, desc, displayValue }: SettingDefinitionPage, group: SettingGroup): void {
    group.addSetting((setting) => {
      setting.setName(name).setDesc(desc ?? "");
      const value = typeof displayValue === "function" ? displayValue() : displayValue;
      if (value !== undefined)
        setting.controlEl.createSpan({ cls: "setting-item-value", text: value });
      setting.settingEl.addClass("mod-clickable");
      setting.settingEl.setAttrs({ role: "button", tabindex: 0 });
      setting.settingEl.addEventListener("click", () => this.#turn(name));
    });
  }

  #renderRow(
    item: SettingDefinition | SettingDefinitionPage,
    group: SettingGroup,
    index: number,
  ): void {
    if ("type" in item) {
      this.#renderPageRow(item, group);
      return;
    }
    group.addSetting((setting) => {
      setting.setName(item.name);
      if (item.desc !== undefined) setting.setDesc(copyOf(item.desc));
      this.#watch(setting.settingEl, () => setting.settingEl.toggle(holds(item.visible, true)));
      this.#renderContent(item, setting, { group, index });
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

  #watch(el: HTMLElement, apply: () => void): void {
    this.#rows.push({ el, apply });
  }
}

function pagesOf(items: readonly SettingDefinitionItem[]): readonly SettingDefinitionPage[] {
  return items.flatMap((item) => {
    if (!("type" in item)) return [];
    return item.type === "page" ? [item] : pagesOf(item.items ?? []);
  });
}

/** Showing a fragment empties it, but a definition is shown many times. */
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
}
