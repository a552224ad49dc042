import { realpath, stat } from "node:fs/promises";
import {
  type EditorHost,
  type PathMap,
  type Platform,
  type PosixPath,
  type SharePolicy,
  toNativePath,
  toPosixPath,
} from "@idewire/core";
import { mapHost, mapShare, type ServerFacts } from "@idewire/core/internal";
import { IdewireError } from "@idewire/core/rpc";
import { ExcludedFiles } from "../files/excluded-files.ts";
import { assessRealPaths, RealPaths } from "../files/real-share.ts";
import { platform } from "../process/platform.ts";
import type { ListenIdeOptions } from "./listen-options.ts";

/** A folder of the host, as each side calls it: real and native. */
export interface OfferedFolder {
  readonly own: string;
  readonly seen: string;
  /** The key of its claim; serving it to other machines, under another name, does not conflict. */
  readonly claim: string;
}

/** The editor as presented to its agents, on this machine or another. */
export interface AgentSide {
  readonly host: EditorHost;
  readonly platform: Platform;
  /** Whether agents and this process can see each other's processes. */
  readonly isLocal: boolean;
  share(policy: SharePolicy): SharePolicy;
  /** Whether a path of theirs is a folder here; false for unmapped paths. */
  isFolder(path: PosixPath): Promise<boolean>;
  /** The files that are excluded from every policy. */
  readonly excluded: ExcludedFiles;
  /** @throws IdewireError `invalid-argument` when the path map covers none of the folders */
  folders(): Promise<readonly OfferedFolder[]>;
  /** The folders in a discovery file, by the agents' paths. */
  publish(folders: readonly string[]): Pick<ServerFacts, "folders" | "isLocal" | "inWindows">;
}

/** @param onlinks called when a path in use is found to lead elsewhere */
export function createAgentSide(
  host: EditorHost,
  { links = [], pathMap: map, exclude: globs, env = process.env }: ListenIdeOptions,
  onlinks: () => void,
): AgentSide {
  const paths = new RealPaths(onlinks);
  const folders = () => host.workspace().folders.map(({ path }) => path);
  const excluded = new ExcludedFiles({ folders, globs, env });
  const withExcluded = (policy: SharePolicy): SharePolicy => ({
    ...policy,
    isExcluded: (path) => policy.isExcluded(path) || excluded.has(path),
  });
  if (map === undefined) {
    return {
      host,
      platform,
      excluded,
      isLocal: true,
      isFolder,
      share: (policy) => assessRealPaths(withExcluded(policy), host, paths),
      folders: async () => (await realFolders(host, platform)).map(offerHere),
      publish: (folders) => ({
        folders: [...new Set([...folders, ...links])],
        isLocal: true,
        inWindows: platform === "windows",
      }),
    };
  }
  const isHere = map.hostPlatform === platform;
  return {
    host: mapHost(host, map),
    platform: map.agentPlatform,
    excluded,
    isLocal: false,
    isFolder: async (path) => isHere && isFolder(map.toHost(path)),
    share: (policy) =>
      mapShare(isHere ? assessRealPaths(withExcluded(policy), host, paths) : policy, map),
    folders: async () => mapFolders(await realFolders(host, map.hostPlatform), map),
    publish: (folders) => ({
      folders,
      isLocal: false,
      inWindows: map.agentPlatform === "windows",
    }),
  };
}

async function isFolder(path: PosixPath | undefined): Promise<boolean> {
  if (path === undefined) return false;
  return stat(toNativePath(path, platform)).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
}

/** Agents compare them, as text, with their own real working directory. */
function realFolders(host: EditorHost, writtenOn: Platform): Promise<string[]> {
  return Promise.all(
    host.workspace().folders.map(async ({ path }) => {
      const native = toNativePath(path, writtenOn);
      return realpath(native).catch(() => native);
    }),
  );
}

function offerHere(own: string): OfferedFolder {
  return { own, seen: own, claim: own };
}

function offerElsewhere(own: string, seen: string): OfferedFolder {
  return { own, seen, claim: own === seen ? own : `${own} (as ${seen})` };
}

function mapFolders(own: readonly string[], map: PathMap): readonly OfferedFolder[] {
  const offered = own.flatMap((folder) => {
    const path = toPosixPath(folder, map.hostPlatform);
    const seen = path.ok ? map.toAgent(path.value) : undefined;
    return seen === undefined
      ? []
      : [offerElsewhere(folder, toNativePath(seen, map.agentPlatform))];
  });
  if (offered.length > 0 || own.length === 0) return offered;
  throw new IdewireError(
    "invalid-argument",
    `No agent can find the editor: the path map covers none of its folders (${own.join(", ")})`,
  );
}

/**
 * Claude Code connects by itself only if exactly one file of its directory is for the folder.
 * @throws IdewireError `invalid-argument` when several dialects would each publish one there
 */
export function refuseCollisions({ dialects = [], collide = false }: ListenIdeOptions): void {
  const sharing = dialects
    .filter(({ endpoint }) => endpoint.discovery !== undefined)
    .map(({ endpoint }) =>
      dialects.filter((other) => other.endpoint.discovery === endpoint.discovery),
    )
    .find((those) => those.length > 1);
  if (collide || sharing === undefined) return;
  const names = sharing.map(({ id }) => id).join(", ");
  throw new IdewireError(
    "invalid-argument",
    `${names} would publish ${sharing.length} lock files for one folder in one directory, and Claude Code connects on its own only if there is exactly one: choose one of them, or allow it with collide, on the command line --collide`,
  );
}
