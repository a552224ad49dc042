import { type ParseResult, refused } from "../parse-result.ts";
import { describeValue } from "../text/describe-value.ts";
import { type Platform, type PosixPath, toNativePath, toPosixPath } from "./posix-path.ts";

/** A percent-encoded `file:` URI (RFC 8089); on Windows `file:///c:/Users`, as in seed 002. */
export function toFileUri(path: PosixPath, platform: Platform): string {
  const drive = platform === "windows" ? /^\/([a-z])(?=\/|$)/i.exec(path) : null;
  const rest = drive === null ? path : path.slice(2);
  const encoded = rest.split("/").map(encodeSegment).join("/");
  if (drive !== null) return `file:///${drive[1]}:${encoded || "/"}`;
  return encoded.startsWith("//") ? `file:${encoded}` : `file://${encoded}`;
}

/** Parses a percent-encoded `file:` URI. */
export function fromFileUri(uri: string, platform: Platform): ParseResult<PosixPath> {
  if (!/^file:\/\//i.test(uri)) return refused(`${describeValue(uri)} is not a file: URI`);
  let path: string;
  try {
    path = decodeURIComponent(uri.slice("file://".length));
  } catch {
    return refused(`${describeValue(uri)} has a broken percent-encoding`);
  }
  return fromUriPath(path, platform);
}

/**
 * `file://` and the native path, unencoded. Claude Code neither encodes nor decodes URIs
 * (docs/clients/claude-code.md, Diagnostics).
 */
export function toRawFileUri(path: PosixPath, platform: Platform): string {
  return `file://${toNativePath(path, platform)}`;
}

/** Parses the form of {@link toRawFileUri}, and on Windows also the one with three slashes. */
export function fromRawFileUri(uri: string, platform: Platform): ParseResult<PosixPath> {
  if (!/^file:\/\//i.test(uri)) return refused(`${describeValue(uri)} is not a file: URI`);
  return fromUriPath(uri.slice("file://".length), platform);
}

/** Parses what follows `file://`: a path, or a host and a path; `localhost` is this machine. */
function fromUriPath(rest: string, platform: Platform): ParseResult<PosixPath> {
  const path = rest.replace(/^localhost(?=\/)/i, "");
  const isDrivePath = platform === "windows" && /^\/[A-Za-z]:/.test(path);
  if (isDrivePath) return toPosixPath(path.slice(1), platform);
  const isHost = platform === "windows" && !/^([A-Za-z]:|[\\/])/.test(path);
  return toPosixPath(isHost ? `//${path}` : path, platform);
}

/** Leaves lone surrogates, which have no UTF-8 form, as they are. */
function encodeSegment(segment: string): string {
  return segment.replace(/\P{Surrogate}+/gu, (text) => encodeURIComponent(text));
}
