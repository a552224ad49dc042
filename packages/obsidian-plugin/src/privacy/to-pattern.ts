import { withoutSlashes } from "./exclusions.ts";

/**
 * An excluded folder, as a person types it, as a pattern of `.gitignore` relative to the vault; none for what names no
 * folder.
 */
export function toPattern(folder: string): readonly string[] {
  const name = withoutSlashes(folder);
  return name === "" ? [] : [`/${name.replace(/[\\*?[\]]/g, "\\$&")}/**`];
}
