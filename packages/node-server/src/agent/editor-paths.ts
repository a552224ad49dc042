import { type PathMap, type PosixPath, toNativePath, toPosixPath } from "@idewire/core";
import { fromRawFileUri, toRawFileUri } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import { platform } from "../process/platform.ts";

/** Maps the native paths of an agent to those of its editor and back. */
export interface EditorPaths {
  /** @throws IdewireError `invalid-argument` when the map does not cover it */
  toEditor(native: string): string;
  /** Paths outside the map are returned unchanged; they do not exist on this machine. */
  fromEditor(native: string): string;
  /** A raw `file://` URI, as Claude Code writes it. */
  toUri(native: string): string;
  /** Undefined for anything but a file's URI. */
  fromUri(uri: string): string | undefined;
}

/** @param map undefined if both sides use the same paths */
export function createEditorPaths(map: PathMap | undefined): EditorPaths {
  const theirs = map?.hostPlatform ?? platform;
  const toTheirs = (native: string): PosixPath | undefined => {
    const path = toPosixPath(native, platform);
    if (!path.ok || map === undefined) return path.ok ? path.value : undefined;
    const moved = map.toHost(path.value);
    if (moved !== undefined) return moved;
    throw new IdewireError("invalid-argument", `${native} is not on the editor's machine`);
  };
  const toOurs = (path: PosixPath): string | undefined => {
    const moved = map === undefined ? path : map.toAgent(path);
    return moved && toNativePath(moved, platform);
  };
  return {
    toEditor(native) {
      const path = map && toTheirs(native);
      return path === undefined ? native : toNativePath(path, theirs);
    },
    fromEditor(native) {
      const path = toPosixPath(native, theirs);
      return (map && path.ok ? toOurs(path.value) : undefined) ?? native;
    },
    toUri(native) {
      const path = toTheirs(native);
      return path === undefined ? `file://${native}` : toRawFileUri(path, theirs);
    },
    fromUri(uri) {
      const path = fromRawFileUri(uri, theirs);
      return path.ok ? (toOurs(path.value) ?? toNativePath(path.value, theirs)) : undefined;
    },
  };
}

/** For an editor on this machine. */
export const samePaths: EditorPaths = createEditorPaths(undefined);
