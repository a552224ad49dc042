import { RpcError, RpcErrorCode } from "../../../errors.ts";
import type { Call } from "../../../rpc/call.ts";
import {
  formatNotification,
  isObject,
  methodNotFound,
  type Params,
  type RequestId,
} from "../../../rpc/message.ts";
import { describeValue } from "../../../text/describe-value.ts";
import { ACKNOWLEDGED, SUBSCRIPTION_ID } from "../../modern-keys.ts";
import { invalidParams } from "../../refusals.ts";
import { modernRevision } from "../../versions.ts";
import type { Caller } from "../caller.ts";
import type { RequestSource } from "../server-connection.ts";
import type { ServerDefinition } from "../server-options.ts";
import { type Share, Shares } from "../shares.ts";
import type { Topic } from "../topic.ts";

interface Wanted {
  readonly name: string;
  readonly topic: Topic;
  readonly accepted: unknown;
}

interface Subscription {
  readonly id: RequestId;
  readonly wanted: readonly Wanted[];
  readonly source: RequestSource;
  readonly end: (result: object) => void;
  readonly share: Share;
}

/** The streams of `subscriptions/listen` (MCP 2026-07-28, Basic / Patterns, Subscriptions). */
export class Subscriptions {
  readonly #server: ServerDefinition<never>;
  readonly #limit: number;
  readonly #shares: Shares;
  readonly #open = new Set<Subscription>();

  /** @param limit how many there may be at once; 0 refuses the method */
  constructor(server: ServerDefinition<never>, limit: number) {
    this.#server = server;
    this.#limit = limit;
    this.#shares = new Shares(limit);
  }

  /** Answers `subscriptions/listen` when the stream ends; never when the client ends it. */
  listen(call: Call, caller: Caller, source: RequestSource): unknown {
    if (this.#limit === 0) return methodNotFound(call.method);
    const id = call.id as RequestId;
    const filter = call.params?.["notifications"];
    if (!isObject(filter)) {
      throw invalidParams(`notifications: expected an object, got ${describeValue(filter)}`);
    }
    return this.#narrow(filter, caller).then((wanted) => {
      let subscription: Subscription | undefined;
      const evict = () => subscription && this.#end(subscription);
      const share = this.#shares.take(caller.principal, { evict });
      if (share === undefined) {
        const text = `The limit of ${this.#limit} subscriptions is reached: try again later`;
        throw new RpcError(RpcErrorCode.InternalError, text);
      }
      const accepted = wanted.map(({ name, accepted }) => [name, accepted] as const);
      const notifications = Object.fromEntries(accepted);
      call.notify(ACKNOWLEDGED, { _meta: { [SUBSCRIPTION_ID]: id }, notifications });
      return new Promise((end) => {
        subscription = { id, wanted, source, end, share };
        this.#add(call, subscription);
      });
    });
  }

  /** Notifies the subscribers of a change. */
  changed(method: string, params: Params | undefined): void {
    for (const { id, source } of this.subscribersOf(method, params)) {
      const tagged = { _meta: { [SUBSCRIPTION_ID]: id }, ...params };
      const frame = formatNotification(method, tagged);
      source.sendState(frame, frame, id);
    }
  }

  /** The subscribers of a change. */
  subscribersOf(method: string, params: Params | undefined): readonly Subscription[] {
    return [...this.#open].filter(({ wanted }) =>
      wanted.some(
        ({ topic, accepted }) => topic.method === method && topic.matches(accepted, params),
      ),
    );
  }

  /** Ends all streams gracefully. */
  end(): void {
    for (const subscription of this.#open) this.#end(subscription);
  }

  #end(subscription: Subscription): void {
    this.#delete(subscription);
    subscription.end({ _meta: { [SUBSCRIPTION_ID]: subscription.id } });
  }

  #delete(subscription: Subscription): void {
    this.#open.delete(subscription);
    subscription.share.release();
  }

  #add({ aborted, signal }: Call, subscription: Subscription): void {
    if (aborted) {
      subscription.share.release();
      return;
    }
    this.#open.add(subscription);
    signal.addEventListener("abort", () => this.#delete(subscription), { once: true });
  }

  async #narrow(filter: Params, caller: Caller): Promise<readonly Wanted[]> {
    const asked = [...this.#topics()].filter(([name]) => Object.hasOwn(filter, name));
    const wanted = await Promise.all(
      asked.map(async ([name, topic]) => {
        return { name, topic, accepted: await topic.narrow(filter[name], caller) };
      }),
    );
    return wanted.filter(({ accepted }) => accepted !== undefined);
  }

  #topics(): ReadonlyMap<string, Topic> {
    const { capabilities } = this.#server.describe(modernRevision);
    const offers = (name: string, detail: string) => {
      const able = capabilities[name];
      return isObject(able) && able[detail] === true;
    };
    const own = ["tools", "prompts", "resources"].flatMap((kind): [string, Topic][] =>
      offers(kind, "listChanged") ? [[`${kind}ListChanged`, listChanged(kind)]] : [],
    );
    const more = this.#server.features.flatMap(({ topics = {} }) => Object.entries(topics));
    return new Map([...own, ...more]);
  }
}

function listChanged(kind: string): Topic {
  return {
    method: `notifications/${kind}/list_changed`,
    narrow: (wanted) => (wanted === true ? true : undefined),
    matches: () => true,
  };
}
