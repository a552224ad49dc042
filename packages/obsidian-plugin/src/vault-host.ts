import { type EditorHost, type Emitter, type HostEvents, ToolFailure } from "@idewire/core";
import type { Diagnostics } from "./diagnostics/index.ts";
import type { FormatNote } from "./format/note-formatter.ts";
import type { Reviews } from "./review/index.ts";
import type { VaultPaths } from "./vault-paths.ts";

/** What the vault host is made of. */
export interface VaultHostParts {
  /** What agents show to their user. */
  readonly version: string;
  readonly vaultName: string;
  readonly paths: VaultPaths;
  readonly events: Emitter<HostEvents>;
  readonly reviews: Reviews;
  readonly diagnostics: Diagnostics;
  readonly format: FormatNote;
}

/** The vault as an editor that agents can use. */
export function createVaultHost(parts: VaultHostParts): EditorHost {
  const { paths, events, reviews } = parts;
  return {
    info: { name: "Obsidian", version: parts.version },
    workspace: () => ({
      folders: [{ path: paths.root, name: parts.vaultName }],
      trusted: true,
    }),
    documents: () => [],
    selection: () => undefined,
    read: (path) => Promise.reject(new ToolFailure(`${path} cannot be read`)),
    openDiff: (request, signal) => reviews.open(request, signal),
    closeDiff: (id, why) => reviews.close(id, why),
    diagnostics: (path) => parts.diagnostics.of(path),
    format: parts.format,
    on: (event, listener) => events.on(event, listener),
  };
}
