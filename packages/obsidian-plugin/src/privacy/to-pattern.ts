import { withoutSlashes } from "./exclusions.ts";

/**
 * An excluded folder, as a person types it, as a pattern of `.gitignore` relative to the vault; undefined if the
 * text names no folder.
 */
export function toPattern(folder: string): readonly string[] {
  const name = withoutSlashes(folder);
  return name === "" ? [] : [`${toFilePattern(name)}/**`];
}

/** A file of the vault as such a pattern. */
export function toFilePattern(vaultPath: string): string {
  return `/${vaultPath.replace(/[\\*?[\]]/g, "\\$&")}`;
}
