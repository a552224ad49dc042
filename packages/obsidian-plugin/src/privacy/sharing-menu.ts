import { shareLevels } from "@idewire/core/internal";
import { Menu } from "obsidian";
import type { Settings } from "../settings/settings.ts";
import { texts } from "../texts/index.ts";

export interface SharingMenuParts {
  readonly settings: Settings;
  readonly change: (changes: Partial<Settings>) => void;
  readonly showLastShared: () => void;
  readonly showConnection: () => void;
}

/** The menu of the status bar item. */
export function createSharingMenu(parts: SharingMenuParts): Menu {
  const { settings, change, showLastShared, showConnection } = parts;
  const menu = new Menu();
  menu.addItem((item) =>
    item
      .setTitle(settings.paused ? texts.sharing.resume : texts.sharing.pause)
      .setIcon(settings.paused ? "eye" : "eye-off")
      .onClick(() => change({ paused: !settings.paused })),
  );
  menu.addSeparator();
  menu.addItem((item) => item.setTitle(texts.settings.share).setIsLabel(true));
  for (const level of shareLevels) {
    menu.addItem((item) =>
      item
        .setTitle(texts.sharing.level[level])
        .setChecked(settings.share === level)
        .onClick(() => change({ share: level, paused: false })),
    );
  }
  menu.addSeparator();
  menu.addItem((item) => item.setTitle(texts.last.open).setIcon("history").onClick(showLastShared));
  menu.addItem((item) =>
    item.setTitle(texts.command.connection).setIcon("plug").onClick(showConnection),
  );
  return menu;
}
