import { IdewireError, RpcError } from "../../../errors.ts";
import { BackOff } from "../../../rpc/back-off.ts";
import { type Clock, systemClock } from "../../../rpc/clock.ts";
import { asObject, isObject, type Params } from "../../../rpc/message.ts";
import { ACKNOWLEDGED, LISTEN, SUBSCRIPTION_ID } from "../../modern-keys.ts";
import type { ClientRequest } from "../feature.ts";
import type { ListenOptions, ListenTopics, Subscription } from "../subscription.ts";

const FIRST_DELAY_MS = 500;
/** How long the server may take to agree. */
const AGREEMENT_MS = 60_000;

/** Sends the request that a stream answers. */
export interface StreamSender {
  send(request: ClientRequest): Promise<unknown>;
}

/** One stream of notifications, opened again when it breaks; its owner closes it. */
export class ChangeStream implements Subscription {
  accepted: ListenTopics = {};
  /** Called once, when it has closed. */
  onclose: () => void = () => {};
  readonly #client: StreamSender;
  readonly #topics: ListenTopics;
  readonly #options: ListenOptions;
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  #id: unknown;
  #isAcknowledged = false;
  #keepsTrying = false;
  #wasOpen = false;
  readonly #backOff: BackOff;
  #settle: ((error?: Error) => void) | undefined;

  constructor(client: StreamSender, topics: ListenTopics, options: ListenOptions) {
    this.#client = client;
    this.#topics = topics;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#backOff = new BackOff({ firstDelayMs: FIRST_DELAY_MS, clock: this.#clock });
  }

  /**
   * Resolves when the server has agreed.
   * @param keepsTrying whether to open the stream as soon as possible after a failure, although this rejects
   */
  open(keepsTrying = false): Promise<Subscription> {
    this.#keepsTrying = keepsTrying;
    const opened = new Promise<Subscription>((resolve, reject) => {
      this.#settle = (error) => (error === undefined ? resolve(this) : reject(error));
    });
    this.#send();
    const timer = this.#clock.setTimeout(() => {
      this.#settle?.(
        new IdewireError("timeout", `${LISTEN}: not acknowledged in ${AGREEMENT_MS} ms`),
      );
      this.#settle = undefined;
      this.close();
    }, AGREEMENT_MS);
    const stop = () => this.#clock.clearTimeout(timer);
    opened.then(stop, stop);
    return opened;
  }

  close(): void {
    this.#backOff.cancel();
    this.#controller.abort();
    this.onclose();
  }

  /** Receives the notifications with the id of this stream; the first one acknowledges it. */
  notice(method: string, params: Params | undefined): void {
    const meta = params?.["_meta"];
    if (!isObject(meta) || this.#id === undefined || meta[SUBSCRIPTION_ID] !== this.#id) return;
    if (method === ACKNOWLEDGED) this.#acknowledged(params?.["notifications"]);
    else if (this.#isAcknowledged) this.#options.onnotification?.(method, params ?? {});
  }

  #send(): void {
    const { signal } = this.#controller;
    const onSent = (id: number) => {
      this.#id = id;
      this.#isAcknowledged = false;
    };
    const options = { signal, timeoutMs: Infinity, onSent };
    const topics = { notifications: this.#topics };
    this.#client.send({ method: LISTEN, params: topics, options }).then(
      () => this.#ended(),
      (error: Error) => this.#ended(error),
    );
  }

  #ended(error?: Error): void {
    this.#id = undefined;
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(error ?? new IdewireError("protocol", `${LISTEN} ended before it began`));
    if (this.#controller.signal.aborted) return;
    const isOver = error instanceof IdewireError && error.code === "closed";
    const isFirst = settle !== undefined && !this.#keepsTrying;
    if (isOver || isFirst || error instanceof RpcError) {
      this.close();
      return;
    }
    // Changes while it could not be opened were not reported.
    this.#wasOpen = true;
    this.#backOff.schedule(() => this.#send());
  }

  #acknowledged(notifications: unknown): void {
    this.accepted = asObject(notifications);
    this.#isAcknowledged = true;
    this.#backOff.reset();
    this.#settle?.();
    this.#settle = undefined;
    if (this.#wasOpen) this.#options.onreopen?.();
    this.#wasOpen = true;
  }
}
