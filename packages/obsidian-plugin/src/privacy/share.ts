import {
  defaultSharePolicy,
  type PosixPath,
  type ShareLevel,
  type SharePolicy,
} from "@idewire/core";
import type { Settings } from "../settings/settings.ts";
import type { FindExclusion } from "./exclusions.ts";

/** A web page is not a note: its address is not the "name of the open note". */
function isWebAddress(path: PosixPath): boolean {
  return /^https?:/.test(path);
}

/** The share policy of these settings. */
export function createSharePolicy(settings: Settings, findExclusion: FindExclusion): SharePolicy {
  const level = levelOf(settings);
  return {
    level,
    isExcluded: (path) =>
      (level === "path" && isWebAddress(path)) ||
      ![undefined, "outside"].includes(findExclusion(path)?.kind),
    leadsOutside: (path) => findExclusion(path)?.kind === "outside",
    maxTextLength: defaultSharePolicy.maxTextLength,
  };
}

export function levelOf({ share, paused }: Settings): ShareLevel {
  return paused ? "off" : share;
}
