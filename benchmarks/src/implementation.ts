import type { RedisClient } from "@idewire/node-server/redis";

/** The implementations. The floor does the minimum that any of them must do. */
export type ImplementationName = "floor" | "idewire" | "sdk-v1" | "sdk-v2";

/** An initialized client. */
export interface Client {
  /** Calls the tool `echo`, whose arguments the server checks. */
  echo(text: string): Promise<unknown>;
  listTools(): Promise<unknown>;
  /** Proposes a text that is returned as accepted, so that it crosses the wire twice. */
  openDiff(text: string): Promise<unknown>;
  close(): Promise<void>;
}

/** A server on a port of 127.0.0.1, for any number of clients. */
export interface Listening {
  readonly url: string;
  /** The headers of a client's upgrade. */
  readonly headers: Readonly<Record<string, string>>;
  /** The number of connected clients that receive notifications. */
  readonly readyCount: number;
  /** Notifies all of them that `text` is selected. */
  broadcast(text: string): void;
  close(): Promise<void>;
}

export interface ServerOptions {
  /** The number of tools, including `echo` and `openDiff`. */
  readonly toolCount: number;
  /** Over HTTP: use MCP 2026-07-28 instead of a session. */
  readonly modern?: boolean;
  /** Over HTTP: the limit of concurrent sessions. */
  readonly maxSessions?: number;
  /** Over HTTP: `echo` reports progress once, so that its answer is a stream. */
  readonly progress?: boolean;
  /** Over HTTP: the session store shared by several instances. */
  readonly redis?: RedisClient;
  /** Where to write a discovery file; none is written when left out. */
  readonly folder?: string;
}

export interface ConnectHttpOptions {
  /** Use MCP 2026-07-28 instead of a session. */
  readonly modern?: boolean;
}

/** A contestant. */
export interface Implementation {
  /** Client and server joined by core's memory transports. */
  joinInMemory(options: ServerOptions): Promise<Client>;
  listen(options: ServerOptions): Promise<Listening>;
  /** The same over Streamable HTTP; absent if it has no such server. */
  listenHttp?(options: ServerOptions): Promise<Listening>;
  connect(listening: Pick<Listening, "url" | "headers">): Promise<Client>;
  /** The same over Streamable HTTP; absent if it has no such client. */
  connectHttp?(
    listening: Pick<Listening, "url" | "headers">,
    options: ConnectHttpOptions,
  ): Promise<Client>;
  /** Serves stdin and stdout of this process. */
  serveStdio(options: ServerOptions): Promise<void>;
  /** Starts such a server as a child process, and connects. */
  connectStdio(command: string, args: readonly string[]): Promise<Client>;
}

/** Loads an implementation without the others. */
export async function loadImplementation(name: ImplementationName): Promise<Implementation> {
  switch (name) {
    case "floor":
      return (await import("./implementations/floor.ts")).floor;
    case "idewire":
      return (await import("./implementations/idewire.ts")).idewire;
    case "sdk-v1":
      return (await import("./implementations/sdk-v1.ts")).sdkV1;
    case "sdk-v2":
      return (await import("./implementations/sdk-v2.ts")).sdkV2;
  }
}
