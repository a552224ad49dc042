import type { Unsubscribe } from "../../emitter.ts";
import { IdewireError, RpcError } from "../../errors.ts";
import { type Clock, systemClock } from "../../rpc/clock.ts";
import { isObject, type Params } from "../../rpc/message.ts";
import { ACKNOWLEDGED, LISTEN, SUBSCRIPTION_ID } from "../modern-keys.ts";
import type { McpClient } from "./client.ts";

/** What such a stream may say. */
const HEARD: readonly string[] = [
  ACKNOWLEDGED,
  "notifications/tools/list_changed",
  "notifications/prompts/list_changed",
  "notifications/resources/list_changed",
  "notifications/resources/updated",
  "notifications/tasks",
];
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;

/** What to hear of: the filter of `subscriptions/listen`. */
export interface ListenTopics {
  readonly toolsListChanged?: boolean;
  readonly promptsListChanged?: boolean;
  readonly resourcesListChanged?: boolean;
  /** URIs of resources. */
  readonly resourceSubscriptions?: readonly string[];
  /** Of the extension for tasks. */
  readonly taskIds?: readonly string[];
}

export interface ListenOptions {
  /** Called for each notification of the stream; listeners of the client hear them as well. */
  readonly onnotification?: (method: string, params: Params) => void;
  /** Called when the stream was opened again: what changed in the meantime was not told. */
  readonly onreopen?: () => void;
  readonly clock?: Clock;
}

/** A stream of notifications; its owner closes it. */
export interface Subscription {
  /** What of the topics the server tells of. */
  readonly accepted: ListenTopics;
  close(): void;
}

/**
 * Asks a server of the modern era to tell of changes (MCP 2026-07-28, Basic / Patterns, Subscriptions), and
 * resolves when it has agreed. A stream that breaks, or that the server ends, is opened again, ever more
 * slowly while that fails. The legacy era has no such stream: its servers tell of lists unasked.
 * @throws IdewireError `protocol` for a server of the legacy era; what opening fails with
 */
export async function listen(
  client: McpClient,
  topics: ListenTopics,
  options: ListenOptions = {},
): Promise<Subscription> {
  if (!client.traits.stateless) {
    throw new IdewireError("protocol", `${LISTEN} requires a server of 2026-07-28`);
  }
  const stream = new ListenStream(client, topics, options);
  return stream.open();
}

class ListenStream implements Subscription {
  accepted: ListenTopics = {};
  readonly #client: McpClient;
  readonly #topics: ListenTopics;
  readonly #options: ListenOptions;
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  readonly #ends: readonly Unsubscribe[];
  #id: unknown;
  #isAcknowledged = false;
  #wasOpen = false;
  #delayMs = FIRST_DELAY_MS;
  #timer: unknown;
  #settle: ((error?: Error) => void) | undefined;

  constructor(client: McpClient, topics: ListenTopics, options: ListenOptions) {
    this.#client = client;
    this.#topics = topics;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#ends = HEARD.map((method) => client.on(method, (params) => this.#hear(method, params)));
    void client.closed.then(() => this.close());
  }

  open(): Promise<Subscription> {
    const opened = new Promise<Subscription>((resolve, reject) => {
      this.#settle = (error) => (error === undefined ? resolve(this) : reject(error));
    });
    this.#send();
    return opened;
  }

  close(): void {
    this.#clock.clearTimeout(this.#timer);
    for (const end of this.#ends) end();
    this.#controller.abort();
  }

  #send(): void {
    const { signal } = this.#controller;
    const onSent = (id: number) => {
      this.#id = id;
      this.#isAcknowledged = false;
    };
    this.#client
      .send(LISTEN, { notifications: this.#topics }, { signal, timeoutMs: Infinity, onSent })
      .then(
        () => this.#ended(undefined),
        (error) => this.#ended(error),
      );
  }

  #ended(error: unknown): void {
    this.#id = undefined;
    if (this.#controller.signal.aborted) return;
    const isRefused = error instanceof RpcError;
    if (isRefused || this.#settle !== undefined) {
      this.close();
      const early = new IdewireError("protocol", `${LISTEN} ended before it began`);
      this.#settle?.(error instanceof Error ? error : early);
      return;
    }
    this.#timer = this.#clock.setTimeout(() => this.#send(), this.#delayMs);
    this.#delayMs = Math.min(2 * this.#delayMs, LONGEST_DELAY_MS);
  }

  /** Takes the notifications that carry the id of this stream; the first one acknowledges it. */
  #hear(method: string, params: Params | undefined): void {
    const meta = params?.["_meta"];
    if (!isObject(meta) || this.#id === undefined || meta[SUBSCRIPTION_ID] !== this.#id) return;
    if (method === ACKNOWLEDGED) this.#acknowledged(params?.["notifications"]);
    else if (this.#isAcknowledged) this.#options.onnotification?.(method, params ?? {});
  }

  #acknowledged(notifications: unknown): void {
    this.accepted = isObject(notifications) ? notifications : {};
    this.#isAcknowledged = true;
    this.#delayMs = FIRST_DELAY_MS;
    this.#settle?.();
    this.#settle = undefined;
    if (this.#wasOpen) this.#options.onreopen?.();
    this.#wasOpen = true;
  }
}
