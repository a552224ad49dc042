import type { PosixPath } from "@idewire/core";
import type { App, Plugin } from "obsidian";
import type { Texts } from "../texts/index.ts";
import type { VaultPaths } from "../vault-paths.ts";
import type { CurrentText } from "./current-text.ts";
import type { ReviewLayout } from "./editor/diff-editor.ts";
import type { ReviewHistory } from "./history/history.ts";
import type { ReviewController } from "./review-controller.ts";

/** What a plugin registers, and takes back when it is unloaded. */
export type Registrar = Pick<
  Plugin,
  "registerView" | "addCommand" | "register" | "registerEvent" | "registerDomEvent"
>;

/** What the person has chosen for reviews. */
export interface ReviewSettings {
  readonly layout: ReviewLayout;
  /** 0 keeps no history. */
  readonly historyDays: number;
  setLayout(layout: ReviewLayout): void;
}

/** One tab shows what waits, so that no two edit one proposal: its token is here. */
export interface ViewHolder {
  holder: symbol | undefined;
}

/** What the views of reviews are given. */
export interface ReviewsContext {
  readonly app: App;
  readonly paths: VaultPaths;
  readonly texts: Texts;
  readonly settings: ReviewSettings;
  readonly controller: ReviewController;
  readonly history: ReviewHistory;
  readonly viewHolder: ViewHolder;
  /** Unchanged lines are hidden; for all reviews of this run. */
  readonly isFolded: () => boolean;
  readonly setFolded: (isFolded: boolean) => void;
  readonly read: (path: PosixPath) => Promise<CurrentText>;
  readonly openHistory: () => void;
  /** Shows the tab of what waits. */
  readonly showCurrent: () => void;
}
