import { stat } from "node:fs/promises";
import type { Emitter } from "@idewire/core";
import { type EditorHost, type HostEvents, type PosixPath, toNativePath } from "@idewire/core";
import { FileView, ItemView, type Workspace } from "obsidian";
import type { VaultDiagnostics } from "./diagnostics/vault-diagnostics.ts";
import type { VaultDocuments } from "./documents/vault-documents.ts";
import type { Reviews } from "./review/index.ts";
import { addressOf } from "./selection/other-views.ts";
import type { SelectionTracker } from "./selection/selection-tracker.ts";
import { pathsOf, type TrackedSelection, tabFileOf } from "./selection/tracked-selection.ts";
import { platform, type VaultPaths } from "./vault-paths.ts";

/** The dependencies of the vault host. */
export interface VaultHostParts {
  /** Version of the plugin, which agents show. */
  readonly version: string;
  readonly vaultName: string;
  readonly paths: VaultPaths;
  readonly events: Emitter<HostEvents>;
  readonly documents: VaultDocuments;
  readonly workspace: Pick<Workspace, "getActiveViewOfType">;
  readonly tracker: Pick<SelectionTracker, "now">;
  readonly isExcluded: (path: PosixPath) => boolean;
  readonly reviews: Reviews;
  readonly diagnostics: Pick<VaultDiagnostics, "of">;
}

/** The vault as an editor for agents. Obsidian cannot format notes, so `format` is absent. */
export function createVaultHost(parts: VaultHostParts): EditorHost {
  const { paths, events, documents, reviews, workspace, tracker, isExcluded } = parts;
  const isActive = (now: TrackedSelection) => {
    const view = workspace.getActiveViewOfType(ItemView);
    if (now.isPage) return view !== null && addressOf(view) === now.file.path;
    return view instanceof FileView && view.file === tabFileOf(now);
  };
  return {
    name: "Obsidian",
    version: parts.version,
    workspace: () => ({
      folders: [{ path: paths.root, name: parts.vaultName }],
      trusted: true,
    }),
    documents: () => documents.list(),
    selection(which) {
      const { now } = tracker;
      if (now === undefined || (which === "current" && !isActive(now))) return undefined;
      const [path, ...around] = pathsOf(now, paths);
      if (around.some((each) => isExcluded(each))) return undefined;
      return { path, ...now.read() };
    },
    read: (path) => documents.read(path),
    reveal: (path, options) => documents.reveal(path, options),
    select: (path, range) => documents.reveal(path, { range, preserveFocus: true }),
    openDiff: (request, signal) => reviews.open(request, signal),
    closeDiff: (id, why) => reviews.close(id, why),
    diagnostics: (path) => parts.diagnostics.of(path),
    async fileVersion(path) {
      await paths.demandInside(path);
      await reviews.unreviewed.announced(path);
      const native = toNativePath(path, platform);
      const stats = await stat(native).catch(() => undefined);
      return stats && `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
    },
    save: (path) => documents.save(path),
    closeTab: (key) => documents.close(key),
    on: (event, listener) => events.on(event, listener),
  };
}
