import type { Unsubscribe } from "../../emitter.ts";
import { IdewireError } from "../../errors.ts";
import { isObject } from "../../rpc/message.ts";
import { describeValue } from "../../text/describe-value.ts";
import { UPDATED } from "../modern-keys.ts";
import type { Session } from "./session.ts";
import type { FollowedChange } from "./subscription.ts";

const SUBSCRIBE = "resources/subscribe";

/** The resources whose changes the listeners of one client follow, in either era. */
export class ResourceSubscriptions {
  readonly #session: Session;
  /** How many listeners each resource has; the server counts a single subscription. */
  readonly #counts = new Map<string, number>();

  constructor(session: Session) {
    this.#session = session;
  }

  async subscribe(uri: string, listener: () => void): Promise<Unsubscribe> {
    const session = this.#session;
    const { resources } = session.server.capabilities;
    if (!isObject(resources) || resources["subscribe"] !== true) {
      throw new IdewireError("protocol", `${SUBSCRIBE} requires a server with resources.subscribe`);
    }
    const stop = session.on(UPDATED, (params) => {
      if (params?.["uri"] === uri) listener();
    });
    // In either era of the server, now or after a reconnection, one of the two has no effect.
    const followed = session.changes.follow(uri);
    const stopRestoring = session.onReopen(() => this.#restore(uri, listener));
    this.#count(uri, 1);
    let isOver = false;
    const end = () => {
      if (isOver) return false;
      isOver = true;
      stop();
      followed.end();
      stopRestoring();
      return this.#count(uri, -1) === 0;
    };
    try {
      await this.#request(uri, followed);
    } catch (error) {
      end();
      throw error;
    }
    return () => {
      // A failure means that the connection is closed, and the subscription with it.
      if (end() && !session.isModern)
        session.peer.request("resources/unsubscribe", { uri }).catch(() => {});
    };
  }

  #restore(uri: string, listener: () => void): void {
    if (this.#session.isModern) listener();
    // A failure of the connection is repaired by the next reopening.
    else this.#session.peer.request(SUBSCRIBE, { uri }).then(listener, () => {});
  }

  /** @throws IdewireError `protocol` for a resource whose changes the server does not report */
  async #request(uri: string, { agreed }: FollowedChange): Promise<void> {
    if (!this.#session.isModern) await this.#session.request(SUBSCRIBE, { uri });
    else if ((await agreed).resourceSubscriptions?.includes(uri) !== true) {
      const text = `The server does not report changes of ${describeValue(uri)}`;
      throw new IdewireError("protocol", text);
    }
  }

  #count(uri: string, more: number): number {
    const now = (this.#counts.get(uri) ?? 0) + more;
    if (now === 0) this.#counts.delete(uri);
    else this.#counts.set(uri, now);
    return now;
  }
}
