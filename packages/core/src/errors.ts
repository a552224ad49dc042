/** The error codes that cross the wire, by name. */
export * as RpcErrorCode from "./rpc-error-code.ts";

/**
 * An error that crosses the wire as a JSON-RPC error object, in either direction: throw it from a
 * handler to answer with it; a request that the other end refused rejects with it.
 */
export class RpcError extends Error {
  /** The integer code of the JSON-RPC error object. */
  readonly code: number;
  /** The `data` member, when there is one. */
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = "RpcError";
    this.code = code;
    this.data = data;
  }
}

/** The string codes of {@link IdewireError}: `switch (error.code)` narrows. */
export type IdewireErrorCode =
  /** The connection closed, or was closed already. */
  | "closed"
  /** The caller's own signal ended the request. */
  | "cancelled"
  /** No answer came in time. */
  | "timeout"
  /** The two ends share no protocol version. */
  | "version-mismatch"
  /** The other end answered with something that the protocol does not allow. */
  | "protocol"
  /** A value that cannot be sent or understood, such as a path that is not absolute. */
  | "invalid-argument"
  /** Another live process already serves this folder. */
  | "folder-in-use"
  /** A port that was asked for by number belongs to somebody else. */
  | "port-in-use"
  /** A file or directory that we need could not be read or written. */
  | "file-system"
  /** The folder to serve does not exist or is not a directory. */
  | "not-a-folder"
  /** No editor that lives is for the working directory. */
  | "no-editor"
  /** Nothing listens where an editor should. */
  | "unreachable"
  /** What listens there is no editor. */
  | "not-an-editor"
  /** The editor does not take the token. */
  | "unauthorized"
  /** An agent did not do what a scenario expects of it. */
  | "unmet";

/** An error of this side only: it never crosses the wire. */
export class IdewireError extends Error {
  readonly code: IdewireErrorCode;

  constructor(code: IdewireErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = "IdewireError";
    this.code = code;
  }
}

/**
 * A failure that the agent's model should read: a tool that throws it answers with a tool result
 * that has `isError: true` and this message as its text. State the value seen, what was expected,
 * and what to do.
 */
export class ToolFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ToolFailure";
  }
}
