import type { Unsubscribe } from "@idewire/core";
import type { McpClient } from "@idewire/core/client";

/** The resources of a server whose changes the person follows. */
export class ResourceSubscriptions {
  readonly #active = new Map<string, Unsubscribe>();

  /** In the order of their subscription. */
  get uris(): readonly string[] {
    return [...this.#active.keys()];
  }

  /**
   * Subscribes to a resource, or ends its subscription, which needs no connection.
   * @throws what the server refuses
   */
  async change(
    client: () => McpClient,
    { uri, on }: { readonly uri: string; readonly on: boolean },
  ): Promise<void> {
    const undo = this.#active.get(uri);
    if (!on) {
      undo?.();
      this.#active.delete(uri);
    } else if (undo === undefined) {
      this.#active.set(uri, await client().subscribeResource(uri, () => {}));
    }
  }

  /** Forgets those of a connection that has ended. */
  clear(): void {
    this.#active.clear();
  }
}
