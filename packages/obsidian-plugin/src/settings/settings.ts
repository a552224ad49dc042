import { type ShareLevel, shareLevels } from "@idewire/core";

/** What the person has chosen for this vault; kept in the plugin's data.json. */
export interface Settings {
  /** How much agents are told of the vault. */
  readonly share: ShareLevel;
  /** Sharing is off for now; `share` is what it comes back to. */
  readonly paused: boolean;
  /** Vault paths of folders, of which agents are told nothing. */
  readonly excludedFolders: readonly string[];
  /** Tags without `#`; a tag has those below it with it. */
  readonly excludedTags: readonly string[];
  /** Obsidian's own "excluded files" are excluded here too. */
  readonly respectExcludedFiles: boolean;
  /** What agents know stays marked while the focus is elsewhere. */
  readonly markSelection: boolean;
  /** The command of another plugin that formats notes; empty for the formatter of this one. */
  readonly formatCommand: string;
  /** `unified` or `side-by-side`: how a proposal is shown. */
  readonly reviewLayout: string;
  /** How many days the history of reviews goes back; `0` keeps none. */
  readonly reviewHistoryDays: string;
  /** Agents may search, describe, rename and mark notes by tools of the vault. */
  readonly vaultTools: boolean;
  /** Where Claude Code keeps its files, when it is not where it usually is. */
  readonly configDirectory: string;
  /** The first steps were shown. */
  readonly greeted: boolean;
}

export const defaultSettings: Settings = {
  share: "selection",
  paused: false,
  excludedFolders: [],
  excludedTags: [],
  respectExcludedFiles: true,
  markSelection: true,
  formatCommand: "",
  reviewLayout: "unified",
  reviewHistoryDays: "30",
  vaultTools: false,
  configDirectory: "",
  greeted: false,
};

/** Reads what was saved, by this version or another: what does not fit is as by default. */
export function parseSettings(data: unknown): Settings {
  const saved: Record<string, unknown> = { ...(data as object | null) };
  const known = Object.entries(defaultSettings).map(([key, fallback]) => {
    const value = saved[key];
    return [key, fits(key, value, fallback) ? value : fallback] as const;
  });
  return Object.fromEntries(known) as Settings;
}

function fits(key: string, value: unknown, fallback: unknown): boolean {
  if (key === "share") return shareLevels.some((level) => level === value);
  if (!Array.isArray(fallback)) return typeof value === typeof fallback;
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
