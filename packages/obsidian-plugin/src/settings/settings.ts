import type { ShareLevel } from "@idewire/core";
import { isObject, shareLevels } from "@idewire/core/internal";

/** The settings of this vault, stored in the plugin's data.json. */
export interface Settings {
  /** How much of the vault is shared with agents. */
  readonly share: ShareLevel;
  /** Sharing is off until resumed at the level `share`. */
  readonly paused: boolean;
  /** Vault paths of folders that are never shared. */
  readonly excludedFolders: readonly string[];
  /** Tags without `#`; nested tags are included. */
  readonly excludedTags: readonly string[];
  /** Whether Obsidian's own "excluded files" are excluded here too. */
  readonly respectExcludedFiles: boolean;
  /** Whether the shared selection stays marked while the focus is elsewhere. */
  readonly markSelection: boolean;
  /** `unified` or `side-by-side`. */
  readonly reviewLayout: string;
  /** For how many days reviews are kept; `0` keeps none. */
  readonly reviewHistoryDays: string;
  /** Whether the vault tools are offered to agents. */
  readonly vaultTools: boolean;
  /** Whether they may change notes. */
  readonly vaultToolsChange: boolean;
  /** Vault paths of the folders whose notes they may change; empty for all that are shared. */
  readonly changeableFolders: readonly string[];
  /** Whether agents receive comments on notes. */
  readonly tellComments: boolean;
  /** The person's name in comments; empty for that of the account. */
  readonly commentAuthor: string;
  /** Ids of the dialects of the other agents that may connect; Claude Code always may. */
  readonly agents: readonly string[];
  /** Configuration folder of Claude Code, if it is not the default; otherwise empty. */
  readonly configDirectory: string;
  /** The first steps were shown. */
  readonly firstStepsShown: boolean;
}

export const defaultSettings: Settings = {
  share: "selection",
  paused: false,
  excludedFolders: [],
  excludedTags: [],
  respectExcludedFiles: true,
  markSelection: true,
  reviewLayout: "unified",
  reviewHistoryDays: "30",
  vaultTools: false,
  vaultToolsChange: false,
  changeableFolders: [],
  tellComments: false,
  commentAuthor: "",
  agents: [],
  configDirectory: "",
  firstStepsShown: false,
};

/**
 * Parses settings saved by any version. Invalid values are replaced by defaults; those that control
 * sharing, by those that share least. Of a list, the valid entries are kept.
 */
export function parseSettings(data: unknown): Settings {
  const saved: Record<string, unknown> = isObject(data) ? data : {};
  const known = Object.entries(defaultSettings).map(([key, fallback]) => {
    const value = saved[key];
    return [key, typeof value === typeof fallback ? value : fallback] as const;
  });
  const { share, paused, excludedFolders, excludedTags, changeableFolders } = saved;
  const folders = namesIn(excludedFolders);
  const tags = namesIn(excludedTags);
  const changeable = namesIn(changeableFolders);
  return {
    ...(Object.fromEntries(known) as unknown as Settings),
    share: folders === undefined || tags === undefined ? "off" : levelFrom(share),
    paused: paused !== undefined && paused !== false,
    excludedFolders: folders ?? [],
    excludedTags: tags ?? [],
    vaultToolsChange: changeable !== undefined && saved["vaultToolsChange"] === true,
    changeableFolders: changeable ?? [],
    agents: namesIn(saved["agents"]) ?? [],
  };
}

function levelFrom(share: unknown): ShareLevel {
  if (share === undefined) return defaultSettings.share;
  return shareLevels.find((level) => level === share) ?? "off";
}

/** Undefined if it is unclear what is excluded. */
function namesIn(list: unknown): readonly string[] | undefined {
  if (list === undefined) return [];
  if (typeof list === "string") return [list];
  if (!Array.isArray(list)) return undefined;
  return list.filter((item) => typeof item === "string");
}
