import type { App, SettingDefinitionItem } from "obsidian";
import type { Texts } from "../texts/index.ts";
import { allCommands } from "./app-commands.ts";

const OWN = /^(?:idewire|editor|app|workspace):/;

/** The setting for what formats notes for agents: this plugin, or a command of another. */
export function formatterSetting(app: App, texts: Texts): SettingDefinitionItem<"formatCommand"> {
  const others = allCommands(app)
    .filter(({ id, name }) => !OWN.test(id) && /lint|format|prettif/i.test(`${id} ${name}`))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ id, name }) => [id, name] as const);
  return {
    type: "group",
    heading: texts("format.heading"),
    items: [
      {
        name: texts("format.setting"),
        desc: texts("format.settingDesc"),
        aliases: ["linter", "markdown", "reformat"],
        control: {
          type: "dropdown",
          key: "formatCommand",
          options: { "": texts("format.own"), ...Object.fromEntries(others) },
        },
      },
    ],
  };
}
