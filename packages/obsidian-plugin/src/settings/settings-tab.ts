import { shareLevels } from "@idewire/core/internal";
import {
  type App,
  getAllTags,
  type Plugin,
  PluginSettingTab,
  requireApiVersion,
  type Setting,
  type SettingDefinitionItem,
  type SettingDefinitionPage,
} from "obsidian";
import {
  type ConnectionPanelParts,
  renderConnectionPanel,
} from "../connection/connection-panel.ts";
import { type OtherAgent, otherAgents } from "../connection/other-agents.ts";
import { texts } from "../texts/index.ts";
import type { VaultToolsSetting } from "../vault-tools/register.ts";
import { displaySettings } from "./display-settings.ts";
import { NameChooser } from "./name-chooser.ts";
import type { Settings } from "./settings.ts";
import type { SettingsStore } from "./settings-store.ts";

export interface SettingsTabParts {
  readonly store: SettingsStore;
  readonly connection: ConnectionPanelParts;
  readonly showLastShared: () => void;
  /** The settings of other parts of the plugin. */
  readonly more: () => readonly SettingDefinitionPage[];
  readonly tools: VaultToolsSetting;
}

/** The plugin's page in the settings. */
export class SettingsTab extends PluginSettingTab {
  readonly #parts: SettingsTabParts;
  #displayed: readonly (() => void)[] = [];
  /** Pages that are open before 1.13. */
  readonly #open = new Set<string>();

  constructor(app: App, plugin: Plugin, parts: SettingsTabParts) {
    super(app, plugin);
    this.#parts = parts;
  }

  override getControlValue(key: string): unknown {
    const other = otherAgents.find((each) => each.key === key);
    if (other !== undefined) return this.#parts.store.now.agents.includes(other.dialect.id);
    return this.#parts.store.now[key as keyof Settings];
  }

  override async setControlValue(key: string, value: unknown): Promise<void> {
    const other = otherAgents.find((each) => each.key === key);
    if (other !== undefined) return this.#turn(other, value === true);
    await this.#parts.store.change({ [key]: value });
    if (key === "vaultToolsChange") this.#update();
  }

  override getSettingDefinitions(): SettingDefinitionItem[] {
    return [
      this.#connection(),
      this.#sharing(),
      {
        type: "group",
        heading: texts.settings.more,
        items: [...this.#parts.more(), this.#tools(), this.#advanced()],
      },
    ];
  }

  /** Called by versions before 1.13, which lack definitions. */
  override display(): void {
    this.#draw();
  }

  #draw(): void {
    this.hide();
    this.#displayed = displaySettings(this.containerEl, this.getSettingDefinitions(), {
      read: (key) => this.getControlValue(key),
      write: (key, value) => this.setControlValue(key, value),
      isOpen: (page) => this.#open.has(page),
      keepOpen: (page, isOpen) => void (isOpen ? this.#open.add(page) : this.#open.delete(page)),
      removeLabel: texts.settings.remove,
    });
  }

  override hide(): void {
    for (const undo of this.#displayed) undo();
    this.#displayed = [];
    super.hide();
    if (!requireApiVersion("1.13.0")) this.containerEl.empty();
  }

  #connection(): SettingDefinitionItem {
    const { connection } = this.#parts;
    return {
      type: "group",
      heading: texts.connection.title,
      items: [
        {
          name: texts.connection.command,
          desc: texts.connection.commandDesc,
          aliases: ["claude", "ide", "terminal", "doctor"],
          render: (setting: Setting) => {
            setting.settingEl.addClass("idewire-connection-setting");
            return renderConnectionPanel(setting.settingEl, connection);
          },
        },
        this.#agents(),
      ],
    };
  }

  /** A switch for each agent beside Claude Code. */
  #agents(): SettingDefinitionPage {
    const { agents } = this.#parts.store.now;
    const on = otherAgents.filter(({ dialect: { id } }) => agents.includes(id));
    return {
      type: "page",
      name: texts.settings.agents,
      desc: texts.settings.agentsDesc,
      displayValue: on.map(({ agent }) => agent.title).join(", ") || texts.settings.none,
      items: otherAgents.map(({ agent, key }) => ({
        name: agent.title,
        desc: texts.settings.agentDesc(agent),
        aliases: ["agent", agent.name],
        control: { type: "toggle", key },
      })),
    };
  }

  async #turn({ dialect: { id } }: OtherAgent, isOn: boolean): Promise<void> {
    const { store } = this.#parts;
    const rest = store.now.agents.filter((each) => each !== id);
    await store.change({ agents: isOn ? [...rest, id] : rest });
  }

  #sharing(): SettingDefinitionItem<keyof Settings> {
    return {
      type: "group",
      heading: texts.settings.sharing,
      items: [
        {
          name: texts.settings.share,
          desc: texts.settings.shareDesc,
          control: {
            type: "dropdown",
            key: "share",
            options: Object.fromEntries(
              shareLevels.map((level) => [level, texts.sharing.level[level]]),
            ),
          },
        },
        {
          name: texts.settings.paused,
          desc: texts.settings.pausedDesc,
          control: { type: "toggle", key: "paused" },
        },
        this.#exclusions(),
        {
          name: texts.settings.last,
          desc: texts.settings.lastDesc,
          action: () => this.#parts.showLastShared(),
        },
      ],
    };
  }

  #exclusions(): SettingDefinitionPage<keyof Settings> {
    return {
      type: "page",
      name: texts.settings.excluded,
      desc: texts.settings.excludedDesc,
      items: [
        {
          name: texts.settings.obsidian,
          desc: texts.settings.obsidianDesc,
          control: { type: "toggle", key: "respectExcludedFiles" },
        },
        { name: texts.settings.property, desc: texts.settings.propertyDesc },
        this.#folders(),
        this.#tags(),
      ],
    };
  }

  #folders(): SettingDefinitionItem<keyof Settings> {
    return this.#list("excludedFolders", {
      heading: texts.settings.folders,
      emptyState: texts.settings.foldersEmpty,
      add: texts.settings.addFolder,
      names: () => this.#folderNames(),
    });
  }

  #changeable(): SettingDefinitionItem<keyof Settings> {
    return this.#list("changeableFolders", {
      heading: texts.tools.folders,
      emptyState: texts.tools.foldersEmpty,
      add: texts.tools.addFolder,
      names: () => this.#folderNames(),
    });
  }

  #folderNames(): readonly string[] {
    return this.app.vault.getAllFolders(false).map(({ path }) => path);
  }

  #tags(): SettingDefinitionItem<keyof Settings> {
    return this.#list("excludedTags", {
      heading: texts.settings.tags,
      emptyState: texts.settings.tagsEmpty,
      add: texts.settings.addTag,
      names: () => this.#knownTags(),
    });
  }

  #list(
    key: "excludedFolders" | "excludedTags" | "changeableFolders",
    { heading, emptyState, add, names }: ListTexts,
  ): SettingDefinitionItem<keyof Settings> {
    const { store } = this.#parts;
    const chosen = store.now[key];
    const change = async (next: readonly string[]) => {
      await store.change({ [key]: next });
      this.#update();
    };
    return {
      type: "list",
      heading,
      emptyState,
      items: chosen.map((name) => ({ name })),
      onDelete: (index) => void change(chosen.filter((_, each) => each !== index)),
      addItem: {
        name: add,
        action: () => {
          const choose = (name: string) => void change([...new Set([...chosen, name])].sort());
          new NameChooser(this.app, { placeholder: add, names: names(), choose }).open();
        },
      },
    };
  }

  #update(): void {
    if (requireApiVersion("1.13.0")) this.update();
    else this.#draw();
  }

  #tools(): SettingDefinitionPage<keyof Settings> {
    const { store, tools } = this.#parts;
    return tools(store.now.vaultToolsChange ? [this.#changeable()] : []);
  }

  #advanced(): SettingDefinitionPage<keyof Settings> {
    return {
      type: "page",
      name: texts.settings.advanced,
      desc: texts.settings.advancedDesc,
      items: [
        {
          name: texts.settings.mark,
          desc: texts.settings.markDesc,
          control: { type: "toggle", key: "markSelection" },
        },
        {
          name: texts.settings.config,
          desc: texts.settings.configDesc,
          control: { type: "text", key: "configDirectory", placeholder: "~/.claude" },
        },
      ],
    };
  }

  #knownTags(): readonly string[] {
    const { vault, metadataCache } = this.app;
    const tags = vault.getMarkdownFiles().flatMap((file) => {
      const cache = metadataCache.getFileCache(file);
      return (cache && getAllTags(cache)) ?? [];
    });
    return [...new Set(tags.map((tag) => tag.replace(/^#/, "")))].sort();
  }
}

interface ListTexts {
  readonly heading: string;
  readonly emptyState: string;
  readonly add: string;
  readonly names: () => readonly string[];
}
