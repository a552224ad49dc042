import { type PathMap, type PosixPath, toNativePath, toPosixPath } from "@idewire/core";
import { fromRawFileUri, toRawFileUri } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import { platform } from "../process/platform.ts";

/** Turns the paths of an agent into those of its editor and back: native on either side. */
export interface EditorPaths {
  /** @throws IdewireError `invalid-argument` when the editor's machine does not have it */
  toEditor(native: string): string;
  /** Paths outside the map are unchanged: they name nothing on this machine. */
  fromEditor(native: string): string;
  /** A raw `file://` URI, as Claude Code writes it. */
  toUri(native: string): string;
  /** Undefined when it is no URI of a file. */
  fromUri(uri: string): string | undefined;
}

/** @param map undefined where both sides call the files the same */
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
