import { stat } from "node:fs/promises";
import { type EditorHost, type Emitter, type HostEvents, toNativePath } from "@idewire/core";
import { FileView, type Workspace } from "obsidian";
import type { VaultDiagnostics } from "./diagnostics/vault-diagnostics.ts";
import type { VaultDocuments } from "./documents/vault-documents.ts";
import type { FormatNote } from "./format/note-formatter.ts";
import type { Reviews } from "./review/index.ts";
import type { SelectionTracker } from "./selection/selection-tracker.ts";
import { platform, type VaultPaths } from "./vault-paths.ts";

/** What the vault host depends on. */
export interface VaultHostParts {
  /** Version of the plugin, which agents show. */
  readonly version: string;
  readonly vaultName: string;
  readonly paths: VaultPaths;
  readonly events: Emitter<HostEvents>;
  readonly documents: VaultDocuments;
  readonly workspace: Pick<Workspace, "getActiveViewOfType">;
  readonly tracker: Pick<SelectionTracker, "now">;
  readonly reviews: Reviews;
  readonly diagnostics: Pick<VaultDiagnostics, "of">;
  readonly format: FormatNote;
}

/** The vault as an editor that agents can use. */
export function createVaultHost(parts: VaultHostParts): EditorHost {
  const { paths, events, documents, reviews, workspace, tracker } = parts;
  return {
    info: { name: "Obsidian", version: parts.version },
    workspace: () => ({
      folders: [{ path: paths.root, name: parts.vaultName }],
      trusted: true,
    }),
    documents: () => documents.list(),
    selection(which) {
      const { now } = tracker;
      const active = workspace.getActiveViewOfType(FileView)?.file;
      if (now === undefined || (which === "current" && active !== now.file)) return undefined;
      return { path: paths.toAbsolute(now.file.path), ...now.read() };
    },
    read: (path) => documents.read(path),
    reveal: (path, options) => documents.reveal(path, options),
    select: (path, range) => documents.reveal(path, { range, preserveFocus: true }),
    openDiff: (request, signal) => reviews.open(request, signal),
    closeDiff: (id, why) => reviews.close(id, why),
    diagnostics: (path) => parts.diagnostics.of(path),
    async fileVersion(path) {
      await paths.demandInside(path);
      await reviews.unreviewed.remember(path);
      const native = toNativePath(path, platform);
      const stats = await stat(native).catch(() => undefined);
      return stats && `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
    },
    save: (path) => documents.save(path),
    format: parts.format,
    closeTab: (key) => documents.close(key),
    on: (event, listener) => events.on(event, listener),
  };
}
