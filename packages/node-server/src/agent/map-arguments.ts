import { type PathMap, toNativePath, toPosixPath } from "@idewire/core";
import { toRawFileUri } from "@idewire/core/internal";
import type { Params } from "@idewire/core/rpc";
import { platform } from "../process/platform.ts";

const PATHS: ReadonlySet<string> = new Set([
  "filePath",
  "file_path",
  "file_paths",
  "old_file_path",
  "new_file_path",
]);

/** The arguments of a tool, with their paths mapped to the editor's. */
export function mapArguments(args: Params, map: PathMap | undefined): Params {
  if (map === undefined) return args;
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => {
      if (key === "uri") return [key, mapUri(value, map)];
      return [key, PATHS.has(key) ? mapPaths(value, map) : value];
    }),
  );
}

function mapPaths(value: unknown, map: PathMap): unknown {
  if (Array.isArray(value)) return value.map((item) => mapPaths(item, map));
  const path = typeof value === "string" ? toPosixPath(value, platform) : undefined;
  const moved = path?.ok === true ? map.toHost(path.value) : undefined;
  return moved === undefined ? value : toNativePath(moved, map.hostPlatform);
}

function mapUri(value: unknown, map: PathMap): unknown {
  if (typeof value !== "string" || !value.startsWith("file://")) return value;
  const path = toPosixPath(value.slice("file://".length), platform);
  const moved = path.ok ? map.toHost(path.value) : undefined;
  return moved === undefined ? value : toRawFileUri(moved, map.hostPlatform);
}
