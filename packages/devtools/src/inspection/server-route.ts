import type { OpenTransport } from "@idewire/core/internal";

/** The operations on an inspected server that are available to its route. */
export interface ServerControl {
  /** The name of the newest connection in the log. */
  readonly connection: () => string | undefined;
  /** Reports changed facts. */
  readonly change: () => void;
  /** Logs a line of the server's own, or about it. */
  readonly print: (text: string) => void;
  /** Connects again, and repeats the last call. @param why for the log */
  readonly restart: (why: string) => void;
}

/** How a server is reached. */
export interface ServerRoute {
  open(): Promise<OpenTransport>;
  /** The address at which the person is to log in; undefined when there is none. */
  readonly login?: string | undefined;
  readonly restarts?: ServerRestarts;
}

/** When a server is connected to again by itself. */
export interface ServerRestarts {
  /** Whether the server is a program, or listens on this machine. */
  readonly isLocal: boolean;
  /** To be called before each attempt to connect. */
  begin(): Promise<void>;
  /** To be called when an attempt has failed, with its error. */
  failed(error: unknown): void;
  close(): void;
}
