import { ToolFailure } from "../../../errors.ts";
import type { ParseResult } from "../../../parse-result.ts";
import { isInside, type Platform, type PosixPath, toPosixPath } from "../../../paths/posix-path.ts";
import { describePath } from "../../../text/describe-value.ts";
import type { EditorHost } from "../../editor-host.ts";
import type { IdeToolContext } from "../../ide-tool.ts";
import { notShared } from "../../share-policy.ts";

/**
 * Parses a path from an agent.
 * @throws ToolFailure with the argument's name when the path is not absolute
 */
export function readAgentPath(argument: string, text: string, platform: Platform): PosixPath {
  return accept(argument, toPosixPath(text, platform));
}

/** @throws ToolFailure with the argument's name when the path was refused */
export function accept(argument: string, path: ParseResult<PosixPath>): PosixPath {
  if (path.ok) return path.value;
  throw new ToolFailure(`${argument}: ${path.issue}; give the absolute path of a file`);
}

/** Whether a path is in a workspace folder, judging by the path alone. */
export function isInWorkspace(host: EditorHost, path: PosixPath, platform: Platform): boolean {
  return host.workspace().folders.some((folder) => isInside(folder.path, path, platform));
}

/**
 * Requires that a path is in a workspace folder.
 * @throws ToolFailure otherwise, whether the file exists or not
 */
export function demandInWorkspace(
  host: EditorHost,
  argument: string,
  path: PosixPath,
  platform: Platform,
): void {
  if (isInWorkspace(host, path, platform)) return;
  throw outside(argument, path);
}

/** The failure for a path outside the workspace; the same whether the file exists or not. */
export function outside(argument: string, path: PosixPath): ToolFailure {
  return new ToolFailure(`${argument}: ${describePath(path)} is outside the workspace folders`);
}

/**
 * Requires that a path is in a workspace folder and not excluded from sharing.
 * @throws ToolFailure otherwise, whether the file exists or not
 */
export function demandShared(
  argument: string,
  path: PosixPath,
  { host, session, platform }: IdeToolContext,
): void {
  demandInWorkspace(host, argument, path, platform);
  if (session.share.leadsOutside?.(path)) throw outside(argument, path);
  if (session.share.isExcluded(path)) throw notShared(path);
}
