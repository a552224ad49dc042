import {
  type EditorHost,
  type FileDiagnostics,
  type Mention,
  type PosixPath,
  type Range,
  type RemoteHost,
  toPosixPath,
} from "@idewire/core";
import type { FolderHost } from "../../folder-host/folder-host.ts";
import { platform } from "../../platform.ts";
import { readNativePath } from "../script/native-path.ts";

/** An editor that takes commands; a member that is absent is a command that it does not have. */
export interface ControlTarget {
  readonly host: EditorHost;
  /** @throws Error when it is no path */
  locate(native: string): PosixPath;
  open?(path: PosixPath): Promise<void>;
  select?(path: PosixPath, range: Range, text?: string): Promise<void>;
  clear?(): void;
  mention?(mention: Mention): Promise<void> | void;
  diagnose?(files: readonly FileDiagnostics[]): void;
}

/** A folder that is served. */
export function controlFolder(host: FolderHost): ControlTarget {
  return {
    host,
    locate: (native) => readNativePath(host.folder, native),
    open: (path) => host.open(path),
    select: (path, range, text) => host.setSelection(path, range, text),
    clear: () => host.clearSelection(),
    mention: (mention) => host.mention(mention),
    diagnose: (files) => host.setDiagnostics(files),
  };
}

/** An editor behind a wire: its state is its own, so that it does what it has announced. */
export function controlEditor(host: RemoteHost): ControlTarget {
  const { reveal, select } = host;
  return {
    host,
    locate(native) {
      const path = toPosixPath(native, platform);
      if (path.ok) return path.value;
      throw new Error(path.issue);
    },
    mention: (mention) => host.mention(mention),
    ...(reveal !== undefined && { open: (path) => reveal(path, {}) }),
    ...(select !== undefined && { select: (path, range) => select(path, range) }),
  };
}
