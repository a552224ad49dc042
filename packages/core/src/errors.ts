/** The error codes that cross the wire, by name. */
export * as RpcErrorCode from "./rpc-error-code.ts";

/**
 * An error that crosses the wire as a JSON-RPC error object, in either direction: throw it from a
 * handler to answer with it; a refused request of ours rejects with it.
 */
export class RpcError extends Error {
  /** The integer code of the JSON-RPC error object. */
  readonly code: number;
  /** The `data` member; undefined when absent. */
  readonly data: unknown;

  constructor(
    code: number,
    message: string,
    data?: unknown,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
    this.name = "RpcError";
    this.code = code;
    this.data = data;
  }
}

/** The string codes of {@link IdewireError}: `switch (error.code)` narrows. */
export type IdewireErrorCode =
  /** The connection is closed. */
  | "closed"
  /** The connection broke after the request was sent: it may or may not have been executed. */
  | "lost"
  /** The caller's signal cancelled the request. */
  | "cancelled"
  /** The answer arrives with a later request, for which the handler runs again. */
  | "input-required"
  /** No answer arrived in time. */
  | "timeout"
  /** The two ends share no protocol version. */
  | "version-mismatch"
  /** The other end's answer violates the protocol. */
  | "protocol"
  /** A value that cannot be used, such as a relative path. */
  | "invalid-argument"
  /** Another live process already serves this folder. */
  | "folder-in-use"
  /** The requested port is in use. */
  | "port-in-use"
  /** A file or directory could not be read or written. */
  | "file-system"
  /** The folder to serve does not exist or is not a directory. */
  | "not-a-folder"
  /** No running editor serves the working directory. */
  | "no-editor"
  /** Nothing listens at the address, or the other end does not accept requests now. */
  | "unreachable"
  /** The server at the address is not an editor. */
  | "not-an-editor"
  /** The editor rejected the token. */
  | "unauthorized"
  /** An agent did not meet an expectation of a scenario. */
  | "unmet";

/** A local error: it never crosses the wire. */
export class IdewireError extends Error {
  readonly code: IdewireErrorCode;
  /** The native path of the file or folder in question, if programs need it. */
  declare readonly path?: string;

  constructor(
    code: IdewireErrorCode,
    message: string,
    options?: { readonly cause?: unknown; readonly path?: string },
  ) {
    super(message, options);
    this.name = "IdewireError";
    this.code = code;
    if (options?.path !== undefined) this.path = options.path;
  }
}

/**
 * A failure for the agent's model to read: a tool that throws it returns a result with
 * `isError: true` and the message as its text. The message states the value seen, what was expected,
 * and what to do.
 */
export class ToolFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ToolFailure";
  }
}

/** The message of an error; any other thrown value as a string. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
