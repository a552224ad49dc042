import { ToolFailure } from "@idewire/core/rpc";
import type { ServerInspectionFacts } from "../page-protocol/inspect-methods.ts";
import { InspectedServer, type InspectedServerOptions } from "./inspected-server.ts";

/** The servers of an inspection. */
export class InspectedServers {
  readonly #byName = new Map<string, InspectedServer>();
  readonly #listeners = new Set<() => void>();

  /** @param servers their names are unique */
  constructor(servers: readonly Omit<InspectedServerOptions, "onchange">[]) {
    const onchange = () => {
      for (const listener of [...this.#listeners]) listener();
    };
    for (const server of servers) {
      this.#byName.set(server.name, new InspectedServer({ ...server, onchange }));
    }
  }

  get facts(): ServerInspectionFacts {
    return { mode: "server", servers: [...this.#byName.values()].map(({ facts }) => facts) };
  }

  /** @throws ToolFailure when there is none of the name */
  of(name: string): InspectedServer {
    const server = this.#byName.get(name);
    if (server === undefined) throw new ToolFailure(`There is no server ${JSON.stringify(name)}`);
    return server;
  }

  /** Calls a listener when the facts have changed; returns its undo. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Sends a frame to the server of a connection. @returns false when it is not connected */
  send(frame: string, ch: string | undefined): boolean {
    const server = [...this.#byName.values()].find((each) => ch !== undefined && each.has(ch));
    return server?.send(frame) ?? false;
  }

  /** Connects to all of them at once; failures are facts. */
  async connect(): Promise<void> {
    await Promise.all([...this.#byName.values()].map((each) => each.connect()));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#byName.values()].map((each) => each.close()));
  }
}
