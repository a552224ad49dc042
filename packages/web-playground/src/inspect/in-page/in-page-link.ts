import { answerLimits } from "@idewire/core/internal";
import { createMemoryTransportPair, Peer } from "@idewire/core/rpc";
import { PageClient } from "@idewire/devtools/internal";
import { type Signal, signal } from "@preact/signals";
import { askServer, type SocketListener } from "../../live/live-socket.ts";
import type { LinkStatus, ServerLink } from "../../state/server-link.ts";

/** A link to an inspection in this page, which nothing can interrupt. */
export class InPageLink implements ServerLink {
  readonly status: Signal<LinkStatus> = signal("connecting");
  readonly words = signal("");
  readonly #page: SocketListener;
  readonly #serve: (peer: Peer) => void;
  #client: PageClient | undefined;

  /** @param serve answers the page */
  constructor(page: SocketListener, serve: (peer: Peer) => void) {
    this.#page = page;
    this.#serve = serve;
  }

  get client(): PageClient | undefined {
    return this.#client;
  }

  open(): void {
    const [near, far] = createMemoryTransportPair();
    this.#serve(new Peer(far));
    const client = new PageClient(new Peer(near, answerLimits));
    const begin = this.#page.listen(client);
    client.on("live/joined", ({ rowsBefore }) => {
      this.#client = client;
      begin(rowsBefore);
      this.status.value = "connected";
    });
    void client.request("live/join", {}).then((joined) => this.#page.enter(joined));
  }

  ask<T>(act: (client: PageClient) => Promise<T>): Promise<T | undefined> {
    return askServer(this.#client, act, this.#page);
  }
}
