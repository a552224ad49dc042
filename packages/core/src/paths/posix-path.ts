import { type ParseResult, parsed, refused } from "../parse-result.ts";

declare const posixPath: unique symbol;

/**
 * An absolute path as idewire holds it: forward slashes, no `.`, `..`, empty or trailing segment;
 * Windows drives as `/c/Users`, shares as `//server/share`. The characters are those of the file
 * system: nothing is normalised but the form (NFC is a matter of comparing).
 */
export type PosixPath = string & { readonly [posixPath]: true };

/** How the machine that a native path belongs to writes its paths. */
export type Platform = "posix" | "windows";

/** Reads a path that has the form of {@link PosixPath} already, but for dots and extra slashes. */
export function parsePosixPath(text: string): ParseResult<PosixPath> {
  return parseRooted(text, /^\/\/[^/]/.test(text) ? 2 : 0);
}

/** @param rootLength so many segments name the drive or the share, which `..` does not leave */
function parseRooted(text: string, rootLength: number): ParseResult<PosixPath> {
  if (text.includes("\0")) return refused("a path may not contain NUL");
  if (!text.startsWith("/")) return refused(`the path ${JSON.stringify(text)} is not absolute`);
  const segments: string[] = [];
  for (const segment of text.split("/")) {
    if (segment === "..") segments.splice(Math.max(rootLength, segments.length - 1));
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  const isShare = rootLength === 2 && segments.length > 0;
  return parsed(`${isShare ? "//" : "/"}${segments.join("/")}` as PosixPath);
}

/**
 * Reads a native absolute path. On Windows `C:\x`, `c:/x`, `\\?\C:\x`, `\\server\share\x` and the
 * `/c/x` of seed 002 are understood.
 */
export function toPosixPath(native: string, platform: Platform): ParseResult<PosixPath> {
  if (platform === "posix") return parsePosixPath(native.replace(/^\/{2,}/, "/"));
  const slashed = native
    .replaceAll("\\", "/")
    .replace(/^\/\/\?\/(UNC\/)?/i, (_, unc: string) => (unc === undefined ? "" : "//"));
  if (/^\/\/(\.{1,2}|\?)(\/|$)/.test(slashed)) {
    return refused(`${JSON.stringify(native)} names no file of a drive or a share`);
  }
  const rooted = slashed.replace(/^([A-Za-z]):(?=\/|$)/, "/$1");
  const startsAtDrive = /^\/[A-Za-z](?=\/|$)/.test(rooted);
  const read = startsAtDrive ? parseRooted(rooted, 1) : parsePosixPath(rooted);
  // Dots and extra slashes may have hidden the drive until now.
  return read.ok ? parsed(lowerDrive(read.value)) : read;
}

function lowerDrive(path: PosixPath): PosixPath {
  return path.replace(/^\/[A-Z](?=\/|$)/, (drive) => drive.toLowerCase()) as PosixPath;
}

/** Writes the path as its machine does: on Windows `/c/x` is `C:\x`. */
export function toNativePath(path: PosixPath, platform: Platform): string {
  if (platform === "posix") return path;
  const drive = /^\/([a-z])(?=\/|$)/i.exec(path);
  const native =
    drive === null ? path : `${(drive[1] as string).toUpperCase()}:${path.slice(2) || "/"}`;
  return native.replaceAll("/", "\\");
}

/** Equal for paths that name the same file: NFC, and on Windows without regard to case. */
export function comparisonKey(path: PosixPath, platform: Platform = "posix"): string {
  return (platform === "windows" ? path.toLowerCase() : path).normalize("NFC");
}

/** Whether `path` is `folder` or below it. Symbolic links are the file system's matter. */
export function isInside(
  folder: PosixPath,
  path: PosixPath,
  platform: Platform = "posix",
): boolean {
  const outer = comparisonKey(folder, platform);
  const inner = comparisonKey(path, platform);
  return inner === outer || inner.startsWith(outer.endsWith("/") ? outer : `${outer}/`);
}

/** The last segment: the file's name. */
export function baseName(path: PosixPath): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The path as seen from `folder`, without a leading slash; the whole path when it is not inside. */
export function relativeTo(
  folder: PosixPath,
  path: PosixPath,
  platform: Platform = "posix",
): string {
  if (!isInside(folder, path, platform)) return path;
  const depth = folder.split("/").filter(Boolean).length;
  return path.split("/").filter(Boolean).slice(depth).join("/");
}
