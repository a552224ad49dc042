import type { RedisClient } from "@idewire/node-server/redis";

/** Whose code does the work. The floor is the least that any of them must do. */
export type ImplementationName = "floor" | "idewire" | "sdk-v1" | "sdk-v2";

/** The client's end of one conversation, initialized. */
export interface Client {
  /** Calls the tool `echo`, whose arguments the server checks. */
  echo(text: string): Promise<unknown>;
  listTools(): Promise<unknown>;
  /** Proposes a text and has it back as accepted: it crosses the wire twice. */
  openDiff(text: string): Promise<unknown>;
  close(): Promise<void>;
}

/** A server on a port of 127.0.0.1, for any number of clients. */
export interface Listening {
  readonly url: string;
  /** What a client must send along with the upgrade. */
  readonly headers: Readonly<Record<string, string>>;
  /** How many clients are connected and hear notifications. */
  readonly readyCount: number;
  /** Tells all of them that `text` is selected now. */
  broadcast(text: string): void;
  close(): Promise<void>;
}

export interface ServerOptions {
  /** How many tools there are, `echo` and `openDiff` among them. */
  readonly toolCount: number;
  /** Over HTTP: by MCP 2026-07-28 in place of a session. */
  readonly modern?: boolean;
  /** Over HTTP: how many sessions there may be at once. */
  readonly maxSessions?: number;
  /** Over HTTP: `echo` reports its progress once, which makes its answer a stream. */
  readonly progress?: boolean;
  /** Over HTTP: where the sessions are, which several instances share. */
  readonly redis?: RedisClient;
  /** Where to write a discovery file; none is asked for when left out. */
  readonly folder?: string;
}

export interface ConnectHttpOptions {
  /** By MCP 2026-07-28 in place of a session. */
  readonly modern?: boolean;
}

/** One contestant. */
export interface Implementation {
  /** Client and server joined by core's memory transports. */
  joinInMemory(options: ServerOptions): Promise<Client>;
  listen(options: ServerOptions): Promise<Listening>;
  /** The same over Streamable HTTP; left out by who has no such server. */
  listenHttp?(options: ServerOptions): Promise<Listening>;
  connect(listening: Pick<Listening, "url" | "headers">): Promise<Client>;
  /** The same over Streamable HTTP; left out by who has no such client. */
  connectHttp?(
    listening: Pick<Listening, "url" | "headers">,
    options: ConnectHttpOptions,
  ): Promise<Client>;
  /** A server at the stdin and stdout of this process. */
  serveStdio(options: ServerOptions): Promise<void>;
  /** Starts such a server as a child, and connects. */
  connectStdio(command: string, args: readonly string[]): Promise<Client>;
}

/** Loads one implementation, and nothing of the others. */
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
