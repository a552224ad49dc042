import { requireFunction } from "../../misuse.ts";
import type { Capabilities } from "../protocol.ts";
import { LIST_ROOTS, ROOTS_LIST_CHANGED, type Root } from "../roots.ts";
import { modernRevision, type Revision } from "../versions.ts";
import type { ClientFeature, ClientHandler, ClientSession } from "./feature.ts";

/** Answers `roots/list`, and notifies servers of changes (MCP 2025-11-25, Client / Roots). */
export class Roots implements ClientFeature {
  readonly requests: Readonly<Record<string, ClientHandler>>;
  readonly #clients = new Set<ClientSession>();

  /** @param list called for each `roots/list` */
  constructor(list: () => readonly Root[] | Promise<readonly Root[]>) {
    requireFunction("Roots", list);
    this.requests = {
      [LIST_ROOTS]: () => {
        const roots = list();
        return roots instanceof Promise ? roots.then((late) => ({ roots: late })) : { roots };
      },
    };
  }

  capabilities(revision: Revision): Capabilities {
    return { roots: revision === modernRevision ? {} : { listChanged: true } };
  }

  attach(client: ClientSession): void {
    this.#clients.add(client);
    void client.closed.then(() => this.#clients.delete(client));
  }

  /** Notifies every server that the roots have changed. */
  listChanged(): void {
    for (const client of this.#clients) client.notify(ROOTS_LIST_CHANGED);
  }
}
