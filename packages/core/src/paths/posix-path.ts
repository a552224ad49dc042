import { type ParseResult, parsed, refused } from "../parse-result.ts";
import { describeValue } from "../text/describe-value.ts";

declare const posixPath: unique symbol;

/**
 * An absolute path in idewire's form: forward slashes and no `.`, `..`, empty or trailing segments;
 * Windows drives as `/c/Users`, shares as `//server/share`. Characters are as in the file system; only
 * {@link comparisonKey} normalises them to NFC. {@link toPosixPath} makes one of a native path, and
 * {@link parsePosixPath} of any text.
 */
export type PosixPath = string & { readonly [posixPath]: true };

/** The format of native paths. */
export type Platform = "posix" | "windows";

/** The longest path of Windows; no other system opens a longer one. */
const MAX_PATH_UNITS = 32_767;

/** Parses a path in the form of {@link PosixPath}, except for dots and extra slashes. */
export function parsePosixPath(text: string): ParseResult<PosixPath> {
  return parseRooted(text, /^\/\/[^/]/.test(text) ? 2 : 0);
}

/** @param rootLength the number of segments of the drive or share, which `..` does not leave */
function parseRooted(text: string, rootLength: number): ParseResult<PosixPath> {
  if (text.includes("\0")) return refused("a path may not contain NUL");
  if (text.length > MAX_PATH_UNITS) {
    return refused(`the path ${describeValue(text)} is longer than any that a system opens`);
  }
  if (!text.startsWith("/")) return refused(`the path ${describeValue(text)} is not absolute`);
  const segments: string[] = [];
  for (const segment of text.split("/")) {
    if (segment === "..") segments.splice(Math.max(rootLength, segments.length - 1));
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  const isShare = rootLength === 2 && segments.length > 0;
  return parsed(`${isShare ? "//" : "/"}${segments.join("/")}` as PosixPath);
}

/**
 * Parses a native absolute path. On Windows this may be `C:\x`, `c:/x`, `\\?\C:\x`, `\\server\share\x`
 * or the `/c/x` of seed 002.
 */
export function toPosixPath(native: string, platform: Platform): ParseResult<PosixPath> {
  if (platform === "posix") return parsePosixPath(native.replace(/^\/{2,}/, "/"));
  const slashed = native
    .replaceAll("\\", "/")
    .replace(/^\/\/\?\/(UNC\/)?/i, (_, unc: string) => (unc === undefined ? "" : "//"));
  if (/^\/\/(\.{1,2}|\?)(\/|$)/.test(slashed)) {
    return refused(`${describeValue(native)} names no file of a drive or a share`);
  }
  const rooted = slashed.replace(/^([A-Za-z]):(?=\/|$)/, "/$1");
  const startsAtDrive = /^\/[A-Za-z](?=\/|$)/.test(rooted);
  const read = startsAtDrive ? parseRooted(rooted, 1) : parsePosixPath(rooted);
  // The drive may appear only after dots and extra slashes are removed.
  return read.ok ? parsed(lowerDrive(read.value)) : read;
}

function lowerDrive(path: PosixPath): PosixPath {
  return path.replace(/^\/[A-Z](?=\/|$)/, (drive) => drive.toLowerCase()) as PosixPath;
}

/** The native form of a path: on Windows, `C:\x` for `/c/x`. The address of a web page stays as it is. */
export function toNativePath(path: PosixPath, platform: Platform): string {
  if (platform === "posix" || !path.startsWith("/")) return path;
  const drive = /^\/([a-z])(?=\/|$)/i.exec(path);
  const native =
    drive === null ? path : `${(drive[1] as string).toUpperCase()}:${path.slice(2) || "/"}`;
  return native.replaceAll("/", "\\");
}

/** A key that is equal for paths of the same file: NFC, and lower case on Windows. */
export function comparisonKey(path: PosixPath, platform: Platform = "posix"): string {
  return (platform === "windows" ? path.toLowerCase() : path).normalize("NFC");
}

/** Whether `path` is `folder` or below it; does not resolve symbolic links. */
export function isInside(
  folder: PosixPath,
  path: PosixPath,
  platform: Platform = "posix",
): boolean {
  const outer = comparisonKey(folder, platform);
  const inner = comparisonKey(path, platform);
  return inner === outer || inner.startsWith(outer.endsWith("/") ? outer : `${outer}/`);
}

/** The last segment of a path or URI with forward slashes. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The path relative to `folder`, without a leading slash; the whole path when it is not inside. */
export function relativeTo(
  folder: PosixPath,
  path: PosixPath,
  platform: Platform = "posix",
): string {
  if (!isInside(folder, path, platform)) return path;
  const depth = folder.split("/").filter(Boolean).length;
  return path.split("/").filter(Boolean).slice(depth).join("/");
}
