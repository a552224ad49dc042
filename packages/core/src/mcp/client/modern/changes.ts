import { IdewireError, RpcError } from "../../../errors.ts";
import { isObject, type Params } from "../../../rpc/message.ts";
import { LISTEN, UPDATED } from "../../modern-keys.ts";
import type { Capabilities } from "../../protocol.ts";
import type { FollowedChange, ListenOptions, ListenTopics, Subscription } from "../subscription.ts";
import { ChangeStream, type StreamSender } from "./change-stream.ts";

const LIST = /^notifications\/(\w+)\/list_changed$/;

/** The client whose changes are followed. */
export interface ChangesOwner extends StreamSender {
  /** The capabilities of a server of the modern era; undefined for any other, and before the handshake. */
  readonly modernCapabilities: Capabilities | undefined;
  /** Calls the listeners of a notification. */
  emit(method: string, params?: Params): void;
}

/**
 * The streams of one client. One of them carries all topics of its listeners: it is open while there are
 * listeners, and opened again when the topics change; only then the previous one is closed, so that nothing is
 * missed. In the legacy era servers report changes without a stream.
 */
export class ClientChanges {
  readonly #client: ChangesOwner;
  readonly #streams = new Set<ChangeStream>();
  /** How many listeners each list, by its notification, and each resource, by its URI, has. */
  readonly #followed = new Map<string, number>();
  #capabilities: Capabilities | undefined;
  #shared: ChangeStream | undefined;
  /** The topics of that stream, as JSON. */
  #topics = "{}";
  #turn: Promise<unknown> = Promise.resolve();

  constructor(client: ChangesOwner) {
    this.#client = client;
  }

  /**
   * Called whenever the client is connected, for the first time or again.
   * @param capabilities of the server; undefined when it speaks the legacy era
   */
  serve(capabilities: Capabilities | undefined): void {
    this.#capabilities = capabilities;
    if (this.#followed.size > 0 || this.#shared !== undefined) void this.#renew();
  }

  /** Follows a list, by its notification, or a resource, by its URI. */
  follow(key: string): FollowedChange {
    this.#count(key, 1);
    let end = () => {
      end = () => {};
      this.#count(key, -1);
      void this.#renew();
    };
    return { agreed: this.#renew(), end: () => end() };
  }

  /**
   * Opens a stream in addition to the shared one.
   * @throws IdewireError `protocol` for a server of the legacy era
   */
  async listen(topics: ListenTopics, options: ListenOptions): Promise<Subscription> {
    if (this.#client.modernCapabilities === undefined) {
      throw new IdewireError("protocol", `${LISTEN} requires a server of 2026-07-28`);
    }
    return this.#create(topics, options).open();
  }

  /** Receives a notification, which may belong to one of the streams. */
  notice(method: string, params: Params | undefined): void {
    for (const stream of this.#streams) stream.notice(method, params);
  }

  /** Ends the streams. */
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
    const onreopen = () => this.#emitAll(topics);
    const next = json === "{}" ? undefined : this.#create(topics, { onreopen });
    try {
      await next?.open(true);
    } catch (error) {
      // A refusal leaves the stream as it was; after any other failure the new one opens when it can.
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

  /** The followed topics that the server supports. */
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

  #emitAll({ resourceSubscriptions = [], ...lists }: ListenTopics): void {
    for (const name of Object.keys(lists)) {
      this.#client.emit(`notifications/${name.replace("ListChanged", "")}/list_changed`);
    }
    for (const uri of resourceSubscriptions) this.#client.emit(UPDATED, { uri });
  }
}
