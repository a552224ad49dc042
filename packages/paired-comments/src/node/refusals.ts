import { CommentError } from "../errors.ts";

export function outside(filePath: string): CommentError {
  const suggestion = "The path leads out of the workspace, or is a link";
  return new CommentError("FileAccessDenied", { filePath, suggestion });
}

export function denied(filePath: string, error: Error): CommentError {
  return new CommentError("FileAccessDenied", { filePath, suggestion: error.message });
}

/** Converts a system error, or an error caused by one, to an error without paths. */
export function refused(filePath: string, error: unknown): unknown {
  const { cause } = Object(error) as { readonly cause?: unknown };
  const code = codeOf(cause) || codeOf(error);
  const isKnown = /^E[A-Z\d]+$/.test(code) || reasons.has(code);
  if (!isKnown) return error;
  const suggestion = reasons.get(code) ?? "The system denied access; nothing was changed";
  return new CommentError("FileAccessDenied", { filePath, reason: code, suggestion });
}

const reasons: ReadonlyMap<string, string> = new Map([
  ["EACCES", "The file or its folder may not be read or written: change its permissions"],
  ["EPERM", "The file or its folder may not be read or written: change its permissions"],
  ["EROFS", "The folder is read-only"],
  ["ENOSPC", "The disk is full; nothing was changed"],
  ["EDQUOT", "The disk quota is exceeded; nothing was changed"],
  ["ENOENT", "The folder of the file does not exist"],
  ["EISDIR", "A folder has the name of the file: give it another one"],
  ["ERR_FS_EISDIR", "A folder has the name of the file: give it another one"],
  ["ENAMETOOLONG", "The name is too long for this disk"],
]);

export function codeOf(error: unknown): string {
  const { code } = Object(error) as { readonly code?: unknown };
  return typeof code === "string" ? code : "";
}
