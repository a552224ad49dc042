/** Names and codes of comment errors (seed 003, Custom Error Codes). */
export const CommentErrorCode = {
  FileNotFound: -32001,
  CommentNotFound: -32002,
  InvalidFilePath: -32003,
  FileAccessDenied: -32004,
  InvalidLineNumber: -32005,
  ASTParseError: -32006,
  CommentFileCorrupted: -32007,
} as const;

export type CommentErrorName = keyof typeof CommentErrorCode;

const messages: Readonly<Record<CommentErrorName, string>> = {
  FileNotFound: "File not found",
  CommentNotFound: "Comment not found",
  InvalidFilePath: "Invalid file path",
  FileAccessDenied: "File access denied",
  InvalidLineNumber: "Invalid line number",
  ASTParseError: "Failed to parse source code",
  CommentFileCorrupted: "Comment file is corrupted",
};

/** The facts that a person or an agent needs to fix the error; never a path outside the workspace. */
export interface CommentErrorData {
  /** As given by the caller. */
  readonly filePath: string;
  readonly suggestion: string;
  readonly [key: string]: unknown;
}

/** A failed operation on comments. */
export class CommentError extends Error {
  readonly code: number;
  readonly data: CommentErrorData;

  constructor(name: CommentErrorName, data: CommentErrorData, message: string = messages[name]) {
    super(message);
    this.name = name;
    this.code = CommentErrorCode[name];
    this.data = data;
  }
}
