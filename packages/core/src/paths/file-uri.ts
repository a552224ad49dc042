import { type ParseResult, refused } from "../parse-result.ts";
import { type Platform, type PosixPath, toNativePath, toPosixPath } from "./posix-path.ts";

/** A `file:` URI by RFC 8089, percent-encoded; on Windows `file:///c:/Users`, as seed 002 has it. */
export function toFileUri(path: PosixPath, platform: Platform): string {
  const drive = platform === "windows" ? /^\/([a-z])(?=\/|$)/i.exec(path) : null;
  const rest = drive === null ? path : path.slice(2);
  const encoded = rest.split("/").map(encodeSegment).join("/");
  if (drive !== null) return `file:///${drive[1]}:${encoded || "/"}`;
  return encoded.startsWith("//") ? `file:${encoded}` : `file://${encoded}`;
}

/** Reads a percent-encoded `file:` URI. */
export function fromFileUri(uri: string, platform: Platform): ParseResult<PosixPath> {
  if (!/^file:\/\//i.test(uri)) return refused(`${JSON.stringify(uri)} is not a file: URI`);
  let path: string;
  try {
    path = decodeURIComponent(uri.slice("file://".length));
  } catch {
    return refused(`${JSON.stringify(uri)} has a broken percent-encoding`);
  }
  return fromUriPath(path, platform);
}

/**
 * `file://` and the native path as it is. Claude Code writes and reads this: it neither encodes nor
 * decodes (docs/clients/claude-code.md, Diagnostics).
 */
export function toRawFileUri(path: PosixPath, platform: Platform): string {
  return `file://${toNativePath(path, platform)}`;
}

/** Reads what {@link toRawFileUri} writes, and on Windows the three-slash form as well. */
export function fromRawFileUri(uri: string, platform: Platform): ParseResult<PosixPath> {
  if (!/^file:\/\//i.test(uri)) return refused(`${JSON.stringify(uri)} is not a file: URI`);
  return fromUriPath(uri.slice("file://".length), platform);
}

/** The part after `file://`: a path, or a host and a path; `localhost` is this machine. */
function fromUriPath(rest: string, platform: Platform): ParseResult<PosixPath> {
  const path = rest.replace(/^localhost(?=\/)/i, "");
  const isDrivePath = platform === "windows" && /^\/[A-Za-z]:/.test(path);
  if (isDrivePath) return toPosixPath(path.slice(1), platform);
  const isHost = platform === "windows" && !/^([A-Za-z]:|[\\/])/.test(path);
  return toPosixPath(isHost ? `//${path}` : path, platform);
}

/** A lone surrogate has no UTF-8 form: it is written as it is. */
function encodeSegment(segment: string): string {
  return segment.replace(/\P{Surrogate}+/gu, (text) => encodeURIComponent(text));
}
