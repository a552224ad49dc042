import { withoutSlashes } from "./exclusions.ts";

/**
 * An excluded folder, as a person types it, as a pattern of `.gitignore` relative to the vault; undefined if the
 * text names no folder.
 */
export function toPattern(folder: string): readonly string[] {
  const name = withoutSlashes(folder);
  return name === "" ? [] : [`/${name.replace(/[\\*?[\]]/g, "\\$&")}/**`];
}
