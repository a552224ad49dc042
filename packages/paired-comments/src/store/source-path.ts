import type { PosixPath } from "@idewire/core";
import { isSecretPath } from "@idewire/core/internal";
import { CommentError } from "../errors.ts";
import { commentsSuffix } from "../format/document.ts";

const longestPath = 500;

/**
 * Normalises the path of a source relative to the workspace, and checks it before any file access.
 * @throws CommentError `InvalidFilePath`; `FileAccessDenied` for secret files and `node_modules`
 */
export function parseSourcePath(path: string): string {
  const fault = faultOf(path);
  if (fault !== undefined) {
    const suggestion = `${fault}; use a path relative to the workspace, such as src/app.ts`;
    throw new CommentError("InvalidFilePath", { filePath: path.slice(0, longestPath), suggestion });
  }
  const normal = normalise(path);
  if (isSecretPath(`/${normal}` as PosixPath) || normal.split("/").includes("node_modules")) {
    const suggestion = "Git's files, .env files, keys and node_modules have no comments";
    throw new CommentError("FileAccessDenied", { filePath: path, suggestion });
  }
  return normal;
}

function faultOf(path: string): string | undefined {
  if (path === "") return "It is empty";
  if (path.length > longestPath)
    return `It has ${path.length} characters, more than ${longestPath}`;
  if (/[\p{Cc}]/u.test(path)) return "It has a control character";
  if (/\p{Cs}/u.test(path)) return "It has an unpaired surrogate";
  if (/^[/\\]/.test(path)) return "It is absolute";
  if (/^[A-Za-z]:/.test(path)) return "It begins with a drive letter";
  if (/[/\\]$/.test(path)) return "It is a folder";
  const normal = normalise(path);
  if (normal === "" || normal === ".." || normal.startsWith("../"))
    return "It leads out of the workspace";
  return normal.endsWith(commentsSuffix) ? "It is a .comments file, not a source" : undefined;
}

function normalise(path: string): string {
  const names: string[] = [];
  for (const name of path.split(/[/\\]/)) {
    if (name === "" || name === ".") continue;
    if (name === ".." && names.length > 0 && names.at(-1) !== "..") names.pop();
    else names.push(name);
  }
  return names.join("/");
}
