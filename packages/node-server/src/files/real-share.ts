import { readlinkSync, realpathSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import type { EditorHost, PosixPath, SharePolicy } from "@idewire/core";
import {
  comparisonKey,
  evictOldest,
  isInside,
  relativeTo,
  toNativePath,
  toPosixPath,
} from "@idewire/core/internal/base";
import { platform } from "../process/platform.ts";
import { MAX_LINKS } from "./workspace-path.ts";

/** No system opens longer paths, and each of their folders costs a check. */
const MAX_PATH_UNITS = 4_096;

/** How long a path's target is cached before its links are checked again, in the background. */
const FRESH_MS = 100;

/** How many paths are cached; the oldest are evicted. */
const MAX_PATHS = 1_000;

interface JudgedPath {
  readonly places: readonly PosixPath[];
  /** On `performance.now()`. */
  judgedAt: number;
}

/**
 * The real targets of paths. A path is resolved when it is first asked about; from then on the answer is cached,
 * and checked against the disk in the background, so that no selection waits for the disk.
 */
export class RealPaths {
  readonly #judged = new Map<PosixPath, JudgedPath>();
  readonly #onchange: () => void;

  /** @param onchange called after the target of a path has changed */
  constructor(onchange: () => void = () => {}) {
    this.#onchange = onchange;
  }

  /**
   * The path with all links followed. Dangling links, such as a loop, are treated like a missing file at the place
   * of each of them.
   */
  of(path: PosixPath): readonly PosixPath[] {
    const known = this.#judged.get(path) ?? this.#judge(path);
    if (performance.now() - known.judgedAt > FRESH_MS) {
      known.judgedAt = performance.now();
      void this.#check(path, known);
    }
    return known.places;
  }

  #judge(path: PosixPath): JudgedPath {
    const judged = { places: followLinks(path), judgedAt: performance.now() };
    this.#judged.set(path, judged);
    evictOldest(this.#judged, MAX_PATHS);
    return judged;
  }

  async #check(path: PosixPath, known: JudgedPath): Promise<void> {
    const real = await realpath(toNativePath(path, platform)).then(
      (native) => toPaths([native])[0],
      () => undefined,
    );
    const { places } = known;
    if (real !== undefined && places.length === 1 && real === places[0]) return;
    if (this.#judge(path).places.join("\0") !== places.join("\0")) this.#onchange();
  }
}

/**
 * The policy, applied also to a path's real target: a link to an excluded file is excluded, and a link out of the
 * workspace shares nothing outside it.
 */
export function assessRealPaths(
  policy: SharePolicy,
  host: EditorHost,
  paths: RealPaths = new RealPaths(),
): SharePolicy {
  /** The target of each folder when it was first asked about: a link in its place counts as another folder. */
  const folders = new Map<PosixPath, PosixPath>();
  const realFolder = (path: PosixPath): PosixPath => {
    const real = folders.get(path) ?? paths.of(path)[0] ?? path;
    folders.set(path, real);
    return real;
  };
  const realFolders = () => host.workspace().folders.map(({ path }) => realFolder(path));
  realFolders();
  const isIn = (all: readonly PosixPath[], path: PosixPath) =>
    all.some((folder) => isInside(folder, path, platform));
  const leadsOut = (path: PosixPath): boolean => {
    const inside = realFolders();
    if (paths.of(path).every((place) => isIn(inside, place))) return false;
    return isIn([...inside, ...folders.keys()], path);
  };
  return {
    ...policy,
    isExcluded: (path) => {
      if (policy.isExcluded(path)) return true;
      const isOther = (place: PosixPath) => comparisonKey(place) !== comparisonKey(path);
      return paths.of(path).some((place) => isOther(place) && policy.isExcluded(place));
    },
    leadsOutside: (path) => policy.leadsOutside?.(path) === true || leadsOut(path),
    toWorkspace: (path) => {
      const [place, ...others] = paths.of(path);
      if (place === undefined || others.length > 0) return undefined;
      const named = host.workspace().folders.map((folder) => folder.path);
      const found = named.find((folder) => isInside(realFolder(folder), place, platform));
      return found === undefined
        ? undefined
        : toPaths([join(found, relativeTo(realFolder(found), place, platform))])[0];
    },
  };
}

/** The target of a path, which need not exist; all followed links beyond the system's limit. */
function followLinks(path: PosixPath): readonly PosixPath[] {
  let ahead = toNativePath(path, platform);
  if (ahead.length > MAX_PATH_UNITS) return [path];
  const links = new Set<string>();
  for (let followed = 0; followed <= MAX_LINKS; followed++) {
    const { real, missing } = nearest(ahead);
    const [first, ...rest] = missing;
    if (first === undefined) return toPaths([real]);
    const link = join(real, first);
    const target = linkAt(link);
    if (target === undefined) return toPaths([join(real, ...missing)]);
    links.add(link);
    ahead = join(resolve(real, target), ...rest);
  }
  return toPaths([...links]);
}

/** The existing part of a path, and the remaining names. */
function nearest(native: string): { readonly real: string; readonly missing: readonly string[] } {
  let there = native;
  while (dirname(there) !== there) {
    try {
      const missing = native.slice(there.length).split(sep).filter(Boolean);
      return { real: realpathSync.native(there), missing };
    } catch {
      there = dirname(there);
    }
  }
  return { real: there, missing: native.slice(there.length).split(sep).filter(Boolean) };
}

function linkAt(native: string): string | undefined {
  try {
    return readlinkSync(native);
  } catch {
    return undefined;
  }
}

function toPaths(natives: readonly string[]): readonly PosixPath[] {
  return natives.flatMap((native) => {
    const path = toPosixPath(native, platform);
    return path.ok ? [path.value] : [];
  });
}
