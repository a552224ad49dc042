import { defaultSharePolicy, type ShareLevel, type SharePolicy } from "@idewire/core";
import type { Settings } from "../settings/settings.ts";
import type { FindExclusion } from "./exclusions.ts";

/** The share policy of these settings. */
export function createSharePolicy(settings: Settings, findExclusion: FindExclusion): SharePolicy {
  return {
    level: levelOf(settings),
    isExcluded: (path) => ![undefined, "outside"].includes(findExclusion(path)?.kind),
    leadsOutside: (path) => findExclusion(path)?.kind === "outside",
    maxTextLength: defaultSharePolicy.maxTextLength,
  };
}

export function levelOf({ share, paused }: Settings): ShareLevel {
  return paused ? "off" : share;
}
