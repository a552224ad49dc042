import { texts } from "../texts/index.ts";
import type { Exclusion } from "./exclusions.ts";

/** The reason why a note is not shared, to be used within a sentence. */
export function explainExclusion(exclusion: Exclusion): string {
  switch (exclusion.kind) {
    case "folder":
      return texts.sharing.why.folder(exclusion.folder);
    case "tag":
      return texts.sharing.why.tag(exclusion.tag);
    default:
      return texts.sharing.why[exclusion.kind];
  }
}
