import type { SourcePolicy } from "@idewire/http/internal";
import type { ListenLimits } from "../loopback-server/listen-limits.ts";
import type { MemoryBudget } from "../loopback-server/memory-budget.ts";
import type { ListenIdeOptions } from "./listen-options.ts";

export interface AgentEndpointOptions {
  readonly address: string;
  readonly token: string;
  readonly policy: SourcePolicy;
  readonly limits: ListenLimits;
  /** The memory that all clients of the listener may take. */
  readonly budget: MemoryBudget;
  /** The agents run on this machine: their processes can be looked at. */
  readonly seesAgents: boolean;
  readonly wrapTransport: ListenIdeOptions["wrapTransport"];
  /** A client without the token was refused. */
  readonly onrefused: () => void;
}

/** Where the agents of one dialect connect. Its owner closes it, and with it the IdeServer. */
export interface AgentEndpoint {
  /**
   * @returns the port that listens now
   * @throws IdewireError `port-in-use`, `invalid-argument`
   */
  listen(port: number): Promise<number>;
  /** What agents call it. */
  urlAt(host: string, port: number): string;
  /** Admits clients, also those that wait: until this is called every client waits. */
  admit(): void;
  /** Stops listening, and waits until every client has disconnected or was cut off. */
  close(): Promise<void>;
}
