import type { Capabilities } from "../protocol.ts";
import { LIST_ROOTS, ROOTS_LIST_CHANGED, type Root } from "../roots.ts";
import type { ClientFeature, ClientHandler, McpClient } from "./client.ts";

/** The client's side: says what the roots are, and when they are others. */
export class Roots implements ClientFeature {
  readonly requests: Readonly<Record<string, ClientHandler>>;
  readonly #clients = new Set<McpClient>();

  /** @param list called each time that a server asks */
  constructor(list: () => readonly Root[] | Promise<readonly Root[]>) {
    this.requests = {
      [LIST_ROOTS]: () => {
        const roots = list();
        return roots instanceof Promise ? roots.then((late) => ({ roots: late })) : { roots };
      },
    };
  }

  capabilities(): Capabilities {
    return { roots: { listChanged: true } };
  }

  attach(client: McpClient): void {
    this.#clients.add(client);
    void client.closed.then(() => this.#clients.delete(client));
  }

  /** Tells every server that the roots are others now. */
  listChanged(): void {
    for (const client of this.#clients) {
      if (client.initialized) client.peer.notify(ROOTS_LIST_CHANGED);
    }
  }
}
