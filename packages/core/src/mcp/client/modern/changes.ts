import { RpcError } from "../../../errors.ts";
import { isObject, type Params } from "../../../rpc/message.ts";
import { UPDATED } from "../../modern-keys.ts";
import type { Capabilities } from "../../protocol.ts";
import type { McpClient } from "../client.ts";
import type {
  Changes,
  FollowedChange,
  ListenOptions,
  ListenTopics,
  Subscription,
} from "../subscription.ts";
import { ChangeStream } from "./change-stream.ts";

const LIST = /^notifications\/(\w+)\/list_changed$/;

/** The changes that a client is told of, from its first listener on. */
export function changesOf(client: McpClient): Changes {
  client.changes ??= new ClientChanges(client);
  return client.changes;
}

/**
 * The streams of one client. One of them tells of all that its listeners listen to: it is open while there is
 * something, and opened again when that changes; only then the one before is closed, so that nothing is missed.
 */
class ClientChanges implements Changes {
  readonly #client: McpClient;
  readonly #streams = new Set<ChangeStream>();
  /** How many listeners each list, by its notification, and each resource, by its URI, has. */
  readonly #followed = new Map<string, number>();
  #capabilities: Capabilities | undefined;
  #shared: ChangeStream | undefined;
  /** The topics of that stream, as JSON. */
  #topics = "{}";
  #turn: Promise<unknown> = Promise.resolve();

  constructor(client: McpClient) {
    this.#client = client;
    this.#capabilities = client.modern && client.server.capabilities;
  }

  serve(capabilities: Capabilities | undefined): void {
    this.#capabilities = capabilities;
    void this.#renew();
  }

  follow(key: string): FollowedChange {
    this.#count(key, 1);
    let end = () => {
      end = () => {};
      this.#count(key, -1);
      void this.#renew();
    };
    return { agreed: this.#renew(), end: () => end() };
  }

  listen(topics: ListenTopics, options: ListenOptions): Promise<Subscription> {
    return this.#create(topics, options).open();
  }

  hear(method: string, params: Params | undefined): void {
    for (const stream of this.#streams) stream.hear(method, params);
  }

  close(): void {
    this.#capabilities = undefined;
    for (const stream of this.#streams) stream.close();
  }

  #create(topics: ListenTopics, options: ListenOptions): ChangeStream {
    const stream = new ChangeStream(this.#client, topics, options);
    this.#streams.add(stream);
    stream.onclose = () => this.#streams.delete(stream);
    return stream;
  }

  #count(key: string, more: number): void {
    const now = (this.#followed.get(key) ?? 0) + more;
    if (now === 0) this.#followed.delete(key);
    else this.#followed.set(key, now);
  }

  #renew(): Promise<ListenTopics> {
    const renewed = this.#turn.then(() => this.#open());
    this.#turn = renewed.catch(() => {});
    return renewed;
  }

  async #open(): Promise<ListenTopics> {
    const topics = this.#findTopics();
    const json = JSON.stringify(topics);
    const before = this.#shared;
    if (json === this.#topics) return before?.accepted ?? {};
    const onreopen = () => this.#tellAll(topics);
    const next = json === "{}" ? undefined : this.#create(topics, { onreopen });
    try {
      await next?.open(true);
    } catch (error) {
      // What the server refuses leaves the stream as it was; another one opens when it can.
      if (error instanceof RpcError) throw error;
      this.#adopt(next, json);
      throw error;
    }
    this.#adopt(next, json);
    return next?.accepted ?? {};
  }

  #adopt(stream: ChangeStream | undefined, topics: string): void {
    this.#shared?.close();
    this.#shared = stream;
    this.#topics = topics;
  }

  /** What is listened to, of that which the server tells of. */
  #findTopics(): ListenTopics {
    const capabilities = this.#capabilities;
    if (capabilities === undefined) return {};
    const lists: Record<string, true> = {};
    const uris: string[] = [];
    for (const key of this.#followed.keys()) {
      const [, kind] = LIST.exec(key) ?? [];
      const able = kind && capabilities[kind];
      if (kind === undefined) uris.push(key);
      else if (isObject(able) && able["listChanged"] === true) lists[`${kind}ListChanged`] = true;
    }
    return { ...lists, ...(uris.length > 0 && { resourceSubscriptions: uris }) };
  }

  #tellAll({ resourceSubscriptions = [], ...lists }: ListenTopics): void {
    for (const name of Object.keys(lists)) {
      this.#client.tell(`notifications/${name.replace("ListChanged", "")}/list_changed`);
    }
    for (const uri of resourceSubscriptions) this.#client.tell(UPDATED, { uri });
  }
}
