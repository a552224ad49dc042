import { randomUUID } from "node:crypto";
import { isObject, isRequestId, type SessionState } from "@idewire/core/internal";
import { CloseCode, type CloseReason, type RequestId, type Transport } from "@idewire/core/rpc";
import type { ServerConnection } from "@idewire/core/server";
import { type ExchangeOwner, type ExchangeStream, HttpExchange } from "../http-exchange.ts";
import { isUnnamed } from "../http-session.ts";
import type { JsonBody } from "../json-body.ts";
import { toRefused } from "../refused.ts";
import { keepReleasable } from "../releasable.ts";
import { accepts, type RequestHead } from "../request-head.ts";
import { requestedIds } from "../requested-ids.ts";
import type { HttpHeaders, Responder } from "../responder.ts";
import { isAwaited, type LocalEnd } from "./local-end.ts";
import type { SharedInstance } from "./shared-instance.ts";
import type { KnownSession } from "./shared-sessions.ts";
import { SharedStream } from "./shared-stream.ts";

export interface SharedExchangeOptions<Context> {
  readonly instance: SharedInstance<Context>;
  readonly context: Context;
  readonly principal: string;
  readonly id: string;
  /** Undefined for the one that begins it. */
  readonly known: KnownSession | undefined;
}

/**
 * One POST of a session that instances share, as a transport of its own: whatever else the session does
 * may be elsewhere.
 */
export class SharedExchange<Context> implements Transport, ExchangeOwner, LocalEnd {
  onframe: ((frame: string) => void) | undefined;
  onclose: ((reason: CloseReason) => void) | undefined;
  ondrain: (() => void) | undefined;
  readonly connection: ServerConnection<Context>;
  readonly #options: SharedExchangeOptions<Context>;
  #state: SessionState | undefined;
  #exchange: HttpExchange | undefined;
  #stream: SharedStream | undefined;
  #isOver = false;

  constructor(options: SharedExchangeOptions<Context>) {
    const { instance, known, context, principal } = options;
    this.#options = options;
    this.#state = known?.state;
    this.connection = instance.connect(this, {
      context,
      principal,
      passing: true,
      observer: {
        onchange: (state) => {
          this.#state = state;
        },
      },
      ...(known !== undefined && { session: known.state }),
    });
    keepReleasable(this.connection, this);
  }

  /** They name the session once there is one: an `initialize` that is refused opens none. */
  get headers(): HttpHeaders {
    return this.connection.revision === undefined ? {} : { "mcp-session-id": this.#options.id };
  }

  get jsonHeaders(): HttpHeaders {
    return { ...this.headers, "content-type": "application/json" };
  }

  get isAway(): boolean {
    return this.#exchange?.isOpen === false;
  }

  get bufferedAmount(): number {
    return this.#stream?.waiting ?? 0;
  }

  get primes(): boolean {
    return (this.connection.revision ?? "") >= "2025-11-25";
  }

  /**
   * Takes the body of a POST.
   * @returns the exchange, if its answer is still to come
   */
  take(
    { value, size }: JsonBody,
    head: RequestHead,
    responder: Responder,
  ): HttpExchange | undefined {
    const exchange = new HttpExchange(this, {
      responder,
      ids: requestedIds(value),
      takesJson: accepts(head, "application/json"),
      takesEvents: accepts(head, "text/event-stream"),
    });
    this.#exchange = exchange;
    const settle = (finish: () => void) =>
      this.#settle(finish, (error) => {
        const { status, headers, body } = toRefused(error).answerTo(value);
        exchange.fail(status, headers, body);
      });
    let isAnswered = false;
    this.connection.peer.receive(value, size, (frame) => {
      if (frame === undefined) return;
      isAnswered = true;
      settle(() => {
        if (isUnnamed(frame) || !exchange.isWaiting) exchange.refuse(frame);
        else exchange.answer(frame);
      });
    });
    if (isAnswered) return undefined;
    if (exchange.isWaiting) return exchange;
    settle(() => exchange.accept());
    return undefined;
  }

  send(frame: string, about?: RequestId): void {
    if (this.#carries(about)) this.#exchange?.event(frame);
    else this.#options.instance.sendGeneral(this.#options.id, frame);
  }

  reaches(about?: RequestId): boolean {
    if (this.#isOver) return false;
    return this.#carries(about) || this.#options.known?.record.listens === true;
  }

  open(responder: Responder, ids: readonly RequestId[]): ExchangeStream {
    const { instance, id } = this.#options;
    const name = randomUUID().replaceAll("-", "");
    this.#stream = new SharedStream({
      ...{ events: instance.store.events, key: `${id}:${name}`, name, responder },
      ...{ info: { holder: instance.lease, ids }, headers: this.headers, primes: this.primes },
      onDrain: () => this.ondrain?.(),
      onerror: (error) => instance.sessions.report(error),
    });
    return this.#stream;
  }

  releaseStream(about: RequestId, retryMs: number): boolean {
    return this.#carries(about) && this.#exchange?.sendAway(retryMs) === true;
  }

  deliver(message: unknown): boolean {
    if (isAwaited(this.connection, message)) {
      this.connection.peer.receive(message, 0);
      return true;
    }
    const id = cancelledIn(message);
    if (id === undefined || this.#exchange?.release(id) !== true) return false;
    this.connection.peer.receive(message, 0);
    // A request that is cancelled gets no answer (MCP 2025-11-25, Cancellation); its POST does.
    if (!this.#exchange.isWaiting) {
      this.#exchange.accept();
      this.#end();
    }
    return true;
  }

  moved(stream: string): void {
    if (this.#stream?.name === stream) this.#stream.detach();
  }

  comment(): void {
    this.#exchange?.comment();
  }

  endSession(): void {
    this.connection.peer.close();
  }

  leave(): void {
    this.#stream?.leave();
    this.connection.peer.close();
  }

  close(code: number = CloseCode.Normal, reason = ""): void {
    if (this.#isOver) return;
    this.#exchange?.abandon();
    this.#end();
    setImmediate(() => this.onclose?.({ code, reason }));
  }

  #carries(about: RequestId | undefined): boolean {
    const exchange = this.#exchange;
    return about !== undefined && exchange?.ids.includes(about) === true && exchange.takesEvents;
  }

  /** Answers once what the request has changed is stored: then any instance knows of it. */
  #settle(finish: () => void, fail: (error: unknown) => void): void {
    const { instance, id, known, principal } = this.#options;
    const state = this.#state;
    if (state === undefined || state === known?.state) {
      this.#end();
      finish();
      return;
    }
    const saved =
      known === undefined
        ? instance.sessions.begin(id, { principal }, state)
        : instance.saveState(known, state);
    saved.then(
      () => {
        this.#end(known !== undefined);
        finish();
      },
      (error: unknown) => {
        this.#end();
        fail(error);
      },
    );
  }

  /** @param isReleased whether the store knows that the calls have ended */
  #end(isReleased = false): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { instance, id, known } = this.#options;
    instance.drop(id, this);
    if (known !== undefined && !isReleased) instance.sessions.release(known);
  }
}

function cancelledIn(message: unknown): RequestId | undefined {
  if (!isObject(message) || message["method"] !== "notifications/cancelled") return undefined;
  const { params } = message;
  const id = isObject(params) ? params["requestId"] : undefined;
  return isRequestId(id) ? id : undefined;
}
