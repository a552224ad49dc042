import type { SourcePolicy } from "@idewire/http/internal";
import type { Environment } from "../files/directories.ts";
import type { ListenLimits } from "../loopback-server/listen-limits.ts";
import type { MemoryBudget } from "../loopback-server/memory-budget.ts";
import type { ListenIdeOptions } from "./listen-options.ts";

export interface AgentEndpointOptions {
  readonly address: string;
  readonly env: Environment;
  readonly token: string;
  readonly policy: SourcePolicy;
  readonly limits: ListenLimits;
  /** The memory that all clients of the listener may take. */
  readonly budget: MemoryBudget;
  /** Whether the agents run on this machine, so that their processes can be inspected. */
  readonly seesAgents: boolean;
  readonly wrapTransport: ListenIdeOptions["wrapTransport"];
  /** A client without the token was refused. */
  readonly onrefused: () => void;
  /** Called with faults that stop nothing, such as a place that another program occupies. */
  readonly warn: (error: Error) => void;
}

/** Where an endpoint listens: at a port, or at a socket of the file system (on Windows a pipe). */
export interface EndpointPlace {
  readonly port?: number;
  readonly socketPath?: string;
}

/** Where the agents of one dialect connect. Its owner closes it, and with it the IdeServer. */
export interface AgentEndpoint {
  /**
   * @param place port 0 stands for any that is free
   * @returns where it listens now
   * @throws IdewireError `port-in-use`, `invalid-argument`, `file-system`
   */
  listen(place: EndpointPlace): Promise<EndpointPlace>;
  /** The name by which agents address it. */
  urlAt(host: string, place: EndpointPlace): string;
  /** Admits clients, including those already waiting: until this is called, every client waits. */
  admit(): void;
  /** Stops listening, and waits until every client has disconnected or was cut off. */
  close(): Promise<void>;
  /** Synchronously removes files that the process would leave behind at its end, such as a socket. */
  abandon?(): void;
}
