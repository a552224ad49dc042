import { baseName, type OpenDocument, type PosixPath, toFileUri } from "@idewire/core";
import { platform } from "../vault-paths.ts";
import { type FileLeaf, isVisible } from "./file-leaves.ts";
import { languageIdOf } from "./language-id.ts";

/** What only the collection of all tabs knows of one. */
export interface DocumentFacts {
  readonly path: PosixPath;
  readonly active: boolean;
  readonly dirty: boolean;
  readonly lastFocusedMs: number;
}

/** A tab, as agents are told of it. */
export function describeDocument({ leaf, file }: FileLeaf, facts: DocumentFacts): OpenDocument {
  return {
    ...facts,
    uri: toFileUri(facts.path, platform),
    languageId: languageIdOf(file.extension),
    untitled: false,
    visible: isVisible(leaf),
    label: leaf.getDisplayText() || baseName(facts.path),
  };
}

/** Two tabs of one file are one document. */
export function merge(left: OpenDocument, right: OpenDocument): OpenDocument {
  const [front, back] = left.lastFocusedMs >= right.lastFocusedMs ? [left, right] : [right, left];
  return {
    ...front,
    active: front.active || back.active,
    visible: front.visible || back.visible,
  };
}
