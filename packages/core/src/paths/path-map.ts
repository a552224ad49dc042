import { IdewireError } from "../errors.ts";
import { type ParseResult, parsed, refused } from "../parse-result.ts";
import {
  comparisonKey,
  isInside,
  type Platform,
  type PosixPath,
  parsePosixPath,
  relativeTo,
  toPosixPath,
} from "./posix-path.ts";

/** One folder that two machines call by different names: native and absolute on either side. */
export interface PathRule {
  /** As the editor's machine has it. */
  readonly host: string;
  /** As the agent's machine has it: a container, WSL, the far end of SSH. */
  readonly agent: string;
}

/**
 * What the editor and the agent call the same files. What no rule covers the other side does not
 * have: it is neither told nor understood.
 */
export interface PathMap {
  readonly hostPlatform: Platform;
  readonly agentPlatform: Platform;
  /** The editor's path as the agent writes it. */
  toAgent(path: PosixPath): PosixPath | undefined;
  /** The agent's path as the editor writes it. */
  toHost(path: PosixPath): PosixPath | undefined;
}

/** How each side writes paths, where the rules do not show it. */
export interface PathMapOptions {
  readonly hostPlatform?: Platform;
  readonly agentPlatform?: Platform;
}

/** A rule that was read: both folders in the form in which they are held. */
interface Mount {
  readonly host: PosixPath;
  readonly agent: PosixPath;
}

/**
 * Maps the paths of one machine to those of another. The longest folder wins, as with mounts: what
 * lies behind another mount of the agent's is not seen by it. A side is Windows when one of its
 * folders has a drive or backslashes; then case does not matter there.
 * @throws IdewireError `invalid-argument` when a folder is not absolute
 */
export function createPathMap(rules: readonly PathRule[], options: PathMapOptions = {}): PathMap {
  const {
    hostPlatform = platformOf(rules.map(({ host }) => host)),
    agentPlatform = platformOf(rules.map(({ agent }) => agent)),
  } = options;
  const mounts = rules.map(({ host, agent }) => ({
    host: readFolder(host, hostPlatform),
    agent: readFolder(agent, agentPlatform),
  }));
  const byHost = longestFirst(mounts, "host");
  const byAgent = longestFirst(mounts, "agent");
  const toHost = (path: PosixPath): PosixPath | undefined => {
    const asked = oneShare(path, agentPlatform);
    const mount = byAgent.find(({ agent }) => isInside(agent, asked, agentPlatform));
    return mount && move(asked, [mount.agent, agentPlatform], [mount.host, hostPlatform]);
  };
  const toAgent = (path: PosixPath): PosixPath | undefined => {
    const asked = oneShare(path, hostPlatform);
    const key = comparisonKey(asked, hostPlatform);
    for (const { host, agent } of byHost) {
      if (!isInside(host, asked, hostPlatform)) continue;
      const seen = move(asked, [host, hostPlatform], [agent, agentPlatform]);
      const back = seen && toHost(seen);
      if (back !== undefined && comparisonKey(back, hostPlatform) === key) return seen;
    }
    return undefined;
  };
  return { hostPlatform, agentPlatform, toAgent, toHost };
}

export interface WslOptions {
  /** The name of the Linux, as `WSL_DISTRO_NAME` has it. */
  readonly distribution: string;
  /** Where it has the drives of Windows; `/mnt` when left out. */
  readonly mountRoot?: string;
}

/**
 * An editor on Windows and an agent in WSL: `C:\x` is `/mnt/c/x`, and
 * `\\wsl.localhost\<distribution>\x`, also written `\\wsl$\…`, is `/x`.
 */
export function wslPathMap({ distribution, mountRoot = "/mnt" }: WslOptions): PathMap {
  const drives = [..."abcdefghijklmnopqrstuvwxyz"].map((letter) => ({
    host: `${letter}:\\`,
    agent: `${mountRoot}/${letter}`,
  }));
  const linux = { host: `\\\\wsl.localhost\\${distribution}`, agent: "/" };
  return createPathMap([...drives, linux], { hostPlatform: "windows", agentPlatform: "posix" });
}

/** Reads `<host folder>=<agent folder>`, where the agent's is absolute. */
export function parsePathRule(text: string): ParseResult<PathRule> {
  const found = [...text.matchAll(/=(?=\/|\\\\|[A-Za-z]:[\\/])/g)];
  const [only] = found;
  if (only === undefined || only.index === 0) {
    return refused(`expected /host/folder=/agent/folder, got ${JSON.stringify(text)}`);
  }
  if (found.length > 1) {
    return refused(`${JSON.stringify(text)} can be split at ${found.length} places`);
  }
  return parsed({ host: text.slice(0, only.index), agent: text.slice(only.index + 1) });
}

function platformOf(folders: readonly string[]): Platform {
  return folders.some((folder) => /^([A-Za-z]:([\\/]|$)|\\\\)/.test(folder)) ? "windows" : "posix";
}

function readFolder(native: string, platform: Platform): PosixPath {
  const path = toPosixPath(native, platform);
  if (path.ok) return oneShare(path.value, platform);
  throw new IdewireError("invalid-argument", `A path map needs absolute folders: ${path.issue}`);
}

/** Windows has two names for the share of the Linuxes under it. */
function oneShare(path: PosixPath, platform: Platform): PosixPath {
  if (platform !== "windows") return path;
  return path.replace(/^\/\/wsl\$(?=\/|$)/i, "//wsl.localhost") as PosixPath;
}

function longestFirst(mounts: readonly Mount[], side: keyof Mount): readonly Mount[] {
  return [...mounts].sort((left, right) => depthOf(right[side]) - depthOf(left[side]));
}

function depthOf(path: PosixPath): number {
  return path.split("/").filter(Boolean).length;
}

type Folder = readonly [path: PosixPath, platform: Platform];

function move(path: PosixPath, from: Folder, [to, platform]: Folder): PosixPath | undefined {
  const rest = relativeTo(from[0], path, from[1]);
  if (rest === "") return to;
  // On Windows it would be read as several names, `..` among them.
  if (platform === "windows" && rest.includes("\\")) return undefined;
  const moved = parsePosixPath(to === "/" ? `/${rest}` : `${to}/${rest}`);
  return moved.ok ? moved.value : to;
}
