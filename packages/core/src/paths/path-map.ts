import { IdewireError } from "../errors.ts";
import { type ParseResult, parsed, refused } from "../parse-result.ts";
import { describeValue } from "../text/describe-value.ts";
import {
  comparisonKey,
  isInside,
  type Platform,
  type PosixPath,
  parsePosixPath,
  relativeTo,
  toPosixPath,
} from "./posix-path.ts";

/** A folder with different paths on two machines; both are native and absolute. */
export interface PathRule {
  /** Its path on the editor's machine. */
  readonly host: string;
  /** Its path on the agent's machine: a container, WSL, the remote end of SSH. */
  readonly agent: string;
}

/**
 * Maps between the editor's and the agent's paths of the same files. A path that no rule covers does not
 * exist on the other side.
 */
export interface PathMap {
  readonly hostPlatform: Platform;
  readonly agentPlatform: Platform;
  /** The agent's path for an editor's path; undefined when no rule covers it. */
  toAgent(path: PosixPath): PosixPath | undefined;
  /** The editor's path for an agent's path; undefined when no rule covers it. */
  toHost(path: PosixPath): PosixPath | undefined;
}

/** The path format of each side; by default inferred from the rules. */
export interface PathMapOptions {
  readonly hostPlatform?: Platform;
  readonly agentPlatform?: Platform;
}

/** A parsed rule. */
interface Mount {
  readonly host: PosixPath;
  readonly agent: PosixPath;
}

/**
 * Creates a map between the paths of two machines. As with mounts, the longest matching folder applies,
 * and one of the agent's folders hides what is below it in another. A side is Windows when one of its
 * folders has a drive or backslashes; its paths are then case-insensitive.
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
    const normalized = oneShare(path, agentPlatform);
    const mount = byAgent.find(({ agent }) => isInside(agent, normalized, agentPlatform));
    return mount && move(normalized, [mount.agent, agentPlatform], [mount.host, hostPlatform]);
  };
  const toAgent = (path: PosixPath): PosixPath | undefined => {
    const normalized = oneShare(path, hostPlatform);
    const key = comparisonKey(normalized, hostPlatform);
    for (const { host, agent } of byHost) {
      if (!isInside(host, normalized, hostPlatform)) continue;
      const seen = move(normalized, [host, hostPlatform], [agent, agentPlatform]);
      const back = seen && toHost(seen);
      if (back !== undefined && comparisonKey(back, hostPlatform) === key) return seen;
    }
    return undefined;
  };
  return { hostPlatform, agentPlatform, toAgent, toHost };
}

export interface WslOptions {
  /** The name of the distribution, as in `WSL_DISTRO_NAME`. */
  readonly distribution: string;
  /** The mount point of Windows drives; `/mnt` by default. */
  readonly mountRoot?: string;
}

/**
 * Creates a map for an editor on Windows and an agent in WSL: `C:\x` is `/mnt/c/x`, and
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

/** Parses `<host folder>=<agent folder>`, where the agent's folder is absolute. */
export function parsePathRule(text: string): ParseResult<PathRule> {
  const found = [...text.matchAll(/=(?=\/|\\\\|[A-Za-z]:[\\/])/g)];
  const [only] = found;
  if (only === undefined || only.index === 0) {
    return refused(`expected /host/folder=/agent/folder, got ${describeValue(text)}`);
  }
  if (found.length > 1) {
    return refused(`${describeValue(text)} can be split at ${found.length} places`);
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

/** Normalises the two names of the share with the files of WSL. */
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
  // A backslash in a name would separate names on Windows, and could form `..`.
  if (platform === "windows" && rest.includes("\\")) return undefined;
  const moved = parsePosixPath(to === "/" ? `/${rest}` : `${to}/${rest}`);
  return moved.ok ? moved.value : to;
}
