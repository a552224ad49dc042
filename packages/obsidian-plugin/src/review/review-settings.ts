import { Platform, type Setting, type SettingDefinitionPage } from "obsidian";
import type { Settings } from "../settings/settings.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import { texts } from "../texts/index.ts";
import type { ReviewSettings } from "./context.ts";
import { listReviewKeys } from "./keys.ts";

const DAYS = [0, 7, 30, 90, 365];

/** The settings of reviews, read from the store on each access. */
export function readReviewSettings(store: SettingsStore): ReviewSettings {
  return {
    get layout() {
      return store.now.reviewLayout === "side-by-side" ? "side-by-side" : "unified";
    },
    get historyDays() {
      const days = Number(store.now.reviewHistoryDays);
      return Number.isFinite(days) && days > 0 ? days : 0;
    },
    setLayout: (reviewLayout) => void store.change({ reviewLayout }),
  };
}

/** The page about reviews in the settings. */
export function reviewSettingPage(openHistory: () => void): SettingDefinitionPage<keyof Settings> {
  const options: Record<string, string> = {};
  for (const days of DAYS) {
    const isOff = days === 0;
    options[days] = isOff ? texts.settings.historyOff : texts.settings.days(days);
  }
  return {
    type: "page",
    name: texts.settings.reviews,
    desc: texts.settings.reviewsDesc,
    items: [
      {
        name: texts.settings.layout,
        desc: texts.settings.layoutDesc,
        aliases: ["diff"],
        control: {
          type: "dropdown",
          key: "reviewLayout",
          options: {
            unified: texts.settings.layoutUnified,
            "side-by-side": texts.settings.layoutSideBySide,
          },
        },
      },
      {
        name: texts.settings.history,
        desc: texts.settings.historyDesc,
        control: { type: "dropdown", key: "reviewHistoryDays", options },
      },
      {
        name: texts.review.history.title,
        desc: texts.settings.historyShow,
        action: openHistory,
      },
      {
        name: texts.review.keys,
        desc: texts.review.keysDesc,
        render: (setting: Setting) => renderKeys(setting.infoEl),
      },
    ],
  };
}

function renderKeys(parent: HTMLElement): void {
  const list = parent.createEl("dl", { cls: "idewire-keys" });
  for (const { keys, does } of listReviewKeys(Platform.isMacOS)) {
    const term = list.createEl("dt");
    for (const key of keys) term.createEl("kbd", { text: key });
    list.createEl("dd", { text: does });
  }
}
