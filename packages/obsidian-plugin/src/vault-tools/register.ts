import { messageOf } from "@idewire/core/internal/base";
import {
  Notice,
  type Plugin,
  type SettingDefinitionItem,
  type SettingDefinitionPage,
} from "obsidian";
import type { Settings } from "../settings/settings.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import { texts } from "../texts/index.ts";
import { whenLayoutReady } from "../when-layout-ready.ts";
import { VaultTools, type VaultToolsParts } from "./index.ts";

export interface RegisterVaultToolsParts
  extends Omit<VaultToolsParts, "mayChange" | "changeableFolders"> {
  readonly plugin: Plugin;
  readonly store: SettingsStore;
  readonly copy: (text: string) => void;
}

/** The page of the vault tools in the settings, with further items. */
export type VaultToolsSetting = (
  more: readonly SettingDefinitionItem<keyof Settings>[],
) => SettingDefinitionPage<keyof Settings>;

/** Offers the vault tools while the setting is on; returns the definition of the setting. */
export function registerVaultTools(parts: RegisterVaultToolsParts): VaultToolsSetting {
  const { plugin, store, copy } = parts;
  const tools = new VaultTools({
    ...parts,
    mayChange: () => store.now.vaultToolsChange,
    changeableFolders: () => store.now.changeableFolders,
  });
  const offer = async (wanted: boolean): Promise<void> => {
    try {
      await tools.offer(wanted);
      const url = wanted ? tools.newAddress : undefined;
      if (url !== undefined) new Notice(texts.tools.moved(url), 0);
    } catch (error) {
      const reason = messageOf(error);
      new Notice(texts.tools.failed(reason), 10_000);
    }
  };
  plugin.register(() => void offer(false));
  plugin.register(
    store.on("change", (now, before) => {
      if (now.vaultTools !== before.vaultTools) void offer(now.vaultTools);
      if (now.vaultToolsChange !== before.vaultToolsChange) tools.followChangeable();
    }),
  );
  whenLayoutReady(plugin, () => {
    if (store.now.vaultTools) void offer(true);
  });
  const copyCommand = async (): Promise<void> => {
    const command = await tools.command();
    if (command !== undefined) copy(command);
    new Notice(command === undefined ? texts.tools.off : texts.tools.copied);
  };
  const describeCommand = (): string => {
    const url = tools.newAddress;
    const moved = url === undefined ? "" : ` ${texts.tools.moved(url)}`;
    return `${texts.tools.commandDesc}${moved}`;
  };
  return (more) => ({
    type: "page",
    name: texts.tools.heading,
    desc: texts.tools.headingDesc,
    items: [
      {
        name: texts.tools.offer,
        desc: texts.tools.offerDesc,
        aliases: ["mcp", "search"],
        control: { type: "toggle", key: "vaultTools" },
      },
      {
        name: texts.tools.change,
        desc: texts.tools.changeDesc,
        aliases: ["rename", "properties"],
        control: { type: "toggle", key: "vaultToolsChange" },
      },
      {
        name: texts.tools.command,
        desc: describeCommand(),
        action: () => void copyCommand(),
      },
      ...more,
    ],
  });
}
