import type { App } from "../host-app.ts";
import { Modal } from "./modal.ts";
import type { SettingTab } from "./setting-tab.ts";

/** The settings of the app: a list of tabs at the left, the open tab at the right. */
export class SettingsWindow extends Modal {
  readonly pluginTabs: (SettingTab & { readonly id?: string })[] = [];
  readonly #listEl: HTMLElement;
  readonly #bodyEl: HTMLElement;
  activeTab: SettingTab | null = null;

  constructor(app: App) {
    super(app);
    this.modalEl.addClass("mod-settings", "mod-sidebar-layout");
    this.contentEl.addClass("vertical-tabs-container");
    this.#listEl = this.contentEl.createDiv("vertical-tab-header");
    this.#bodyEl = this.contentEl.createDiv("vertical-tab-content-container");
  }

  addTab(tab: SettingTab): void {
    this.pluginTabs.push(tab);
    tab.update();
  }

  removeTab(tab: SettingTab): void {
    const at = this.pluginTabs.indexOf(tab);
    if (at >= 0) this.pluginTabs.splice(at, 1);
    if (this.activeTab === tab) this.#leave();
  }

  override onOpen(): void {
    this.#renderList();
  }

  override onClose(): void {
    this.#leave();
  }

  openTabById(id: string): SettingTab | null {
    const tab = this.pluginTabs.find((each) => each.id === id) ?? null;
    if (tab !== null) this.openTab(tab);
    return tab;
  }

  openTab(tab: SettingTab): void {
    this.#leave();
    this.activeTab = tab;
    this.#bodyEl.replaceChildren(tab.containerEl);
    tab.show();
    this.#renderList();
  }

  #leave(): void {
    this.activeTab?.hide();
    this.activeTab = null;
    this.#bodyEl.empty();
  }

  #renderList(): void {
    this.#listEl.empty();
    const options = this.#listEl.createDiv("vertical-tab-header-group");
    options.createDiv({ cls: "vertical-tab-header-group-title", text: "Options" });
    for (const name of ["General", "Editor", "Files and links", "Appearance", "Hotkeys"]) {
      options.createDiv({ cls: "vertical-tab-nav-item", text: name });
    }
    const plugins = this.#listEl.createDiv("vertical-tab-header-group");
    plugins.createDiv({ cls: "vertical-tab-header-group-title", text: "Community plugins" });
    for (const tab of this.pluginTabs) {
      const item = plugins.createDiv({ cls: "vertical-tab-nav-item", text: tab.name });
      item.toggleClass("is-active", tab === this.activeTab);
      item.addEventListener("click", () => this.openTab(tab));
    }
  }
}
