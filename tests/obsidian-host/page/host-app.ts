import type { Extension } from "@codemirror/state";
import type { MetadataCache } from "./metadata/cache.ts";
import type { Keymap, Scope } from "./ui/keymap.ts";
import type { FileManager } from "./vault/file-manager.ts";
import type { Vault } from "./vault/vault.ts";
import type { View } from "./view/view.ts";
import type { WorkspaceLeaf } from "./workspace/leaf.ts";
import type { Workspace } from "./workspace/workspace.ts";

export type ViewCreator = (leaf: WorkspaceLeaf) => View;

/** The app as its parts know it. */
export interface App {
  readonly vault: Vault;
  readonly metadataCache: MetadataCache;
  readonly workspace: Workspace;
  readonly fileManager: FileManager;
  readonly keymap: Keymap;
  readonly scope: Scope;
  readonly viewRegistry: ViewRegistry;
  /** What plugins add to every editor. */
  readonly editorExtensions: Extension[];
}

export interface ViewRegistry {
  creatorOf(type: string): ViewCreator | undefined;
  typeOf(extension: string): string | undefined;
}
