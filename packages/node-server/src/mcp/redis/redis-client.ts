/**
 * A client of Redis or Valkey, as `createClient` of the package `redis` makes it. It belongs to the application,
 * which configures, connects and closes it, and handles its errors.
 */
export interface RedisClient {
  /** Whether commands can be sent now. */
  readonly isReady: boolean;
  /** Sends one command; resolves to the reply. */
  sendCommand(command: readonly string[]): Promise<unknown>;
  /** A client with the same options that is not connected. */
  duplicate(): RedisSubscriber;
}

/** A connection that receives published messages. */
export interface RedisSubscriber {
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "ready", listener: () => void): unknown;
  /** Connects, and reconnects whenever the connection is lost. */
  connect(): Promise<unknown>;
  /** Resolves when messages arrive. */
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  unsubscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  /** Ends the connection immediately. */
  destroy(): void;
}
