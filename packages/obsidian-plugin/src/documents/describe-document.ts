import { baseName, type OpenDocument, type PosixPath, toFileUri } from "@idewire/core";
import type { WorkspaceLeaf } from "obsidian";
import { platform } from "../vault-paths.ts";
import { type FileLeaf, isVisible } from "./file-leaves.ts";
import { languageIdOf } from "./language-id.ts";

/** Facts about a tab that depend on the other tabs. */
export interface DocumentFacts {
  readonly path: PosixPath;
  readonly active: boolean;
  readonly dirty: boolean;
  readonly lastFocusedMs: number;
}

/** Describes a tab for agents. */
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

/** Describes a tab with a web page: it has no file. */
export function describePage(
  leaf: WorkspaceLeaf,
  address: string,
  facts: Pick<DocumentFacts, "active" | "lastFocusedMs">,
): OpenDocument {
  return {
    ...facts,
    path: address as PosixPath,
    uri: address,
    languageId: "html",
    dirty: false,
    untitled: true,
    visible: isVisible(leaf),
    label: leaf.getDisplayText() || address,
  };
}

/** Merges two tabs of the same file into one document. */
export function merge(left: OpenDocument, right: OpenDocument): OpenDocument {
  const [front, back] = left.lastFocusedMs >= right.lastFocusedMs ? [left, right] : [right, left];
  return {
    ...front,
    active: front.active || back.active,
    visible: front.visible || back.visible,
  };
}
