import { IdewireError, RpcError, RpcErrorCode } from "../errors.ts";
import type { Batch, OpenBatch } from "./batch.ts";
import { Call, type CallOwner, type Progress } from "./call.ts";
import { systemClock } from "./clock.ts";
import {
  describeValue,
  ErrorAnswer,
  type ErrorObject,
  findFault,
  formatError,
  formatNotification,
  formatRequest,
  formatResult,
  invalidRequest,
  isObject,
  isRequestId,
  isResponse,
  methodNotFound,
  type Params,
  parseFrame,
  type RawMessage,
  type RequestId,
} from "./message.ts";
import type { Handler, PeerOptions } from "./peer-options.ts";
import { PendingRequests, type RequestOptions } from "./pending-requests.ts";
import { RunningRequests } from "./running-requests.ts";
import { CloseCode, type CloseReason, type Transport } from "./transport.ts";

/** Of our own requests: clear of what clients count from, for some match answers by number alone. */
const FIRST_ID = 1_000_000;

/**
 * One JSON-RPC 2.0 conversation, either end, over one {@link Transport}, which it owns.
 *
 * Calls are handled in the order in which they arrive; answers leave in the order in which handlers
 * finish. Frames that are no JSON-RPC are answered as section 5 of the specification says, all but
 * stray answers, and the conversation goes on.
 */
export class Peer implements CallOwner {
  /** Settles when the transport has closed, after everything else; it never rejects. */
  readonly closed: Promise<CloseReason>;
  /** Answers arrays of messages, where the protocol has them; they are refused otherwise. */
  openBatch: OpenBatch | undefined;

  /** What carries the frames; it is closed with the peer. */
  readonly transport: Transport;
  readonly #options: PeerOptions;
  // Most connections are idle, and most only answer: the rest is made when it is needed.
  #handlers: Map<string, Handler> | undefined;
  #pending: PendingRequests | undefined;
  #running: RunningRequests | undefined;
  #nextId = FIRST_ID;
  #closing: IdewireError | undefined;

  constructor(transport: Transport, options: PeerOptions = {}) {
    this.transport = transport;
    this.#options = options;
    this.closed = new Promise((resolve) => {
      transport.onclose = (reason) => {
        this.#end(`The connection closed with ${reason.code} ${reason.reason}`.trimEnd());
        resolve(reason);
      };
    });
    transport.onframe = (frame) => this.#receive(frame);
  }

  /** What takes the calls that no {@link Peer.handle} names. */
  get handler(): PeerOptions["handler"] {
    return this.#options.handler;
  }

  /**
   * How many bytes the other end makes us keep, at most: its requests without an answer, and what
   * it has not read.
   */
  get heldBytes(): number {
    return 2 * (this.#running?.size ?? 0) + this.transport.bufferedAmount;
  }

  /** Names the handler of one method, request or notification; a later one replaces it. */
  handle(method: string, handler: Handler): void {
    this.#handlers ??= new Map();
    this.#handlers.set(method, handler);
  }

  /**
   * Sends a request.
   * @throws TypeError or RangeError, at once, when `params` cannot be written as JSON
   * @throws RpcError when the other end answers with an error
   * @throws IdewireError `closed`, `cancelled`, `timeout` or `protocol`
   */
  request(method: string, params?: Params, options?: RequestOptions): Promise<unknown> {
    if (this.#closing !== undefined) return Promise.reject(this.#closing);
    if (options?.signal?.aborted === true) return Promise.reject(cancelled(method));
    const id = this.#nextId++;
    const frame = formatRequest(
      id,
      method,
      this.#options.lifecycle?.prepare(params, id, options) ?? params,
    );
    this.#pending ??= new PendingRequests(this.#options.clock ?? systemClock, (id) =>
      this.#abandon(id, new IdewireError("timeout", `No answer to request ${id} in time`)),
    );
    const onabort = options?.signal && (() => this.#abandon(id, cancelled(method)));
    const answer = this.#pending.wait(id, options, onabort);
    this.#send(frame);
    return answer;
  }

  /** Sends a notification; it is dropped after close. */
  notify(method: string, params?: Params): void {
    this.#send(formatNotification(method, params));
  }

  report(call: Call, progress: Progress): void {
    const frame = this.#options.lifecycle?.report(call, progress);
    if (frame !== undefined) this.#send(frame);
  }

  /** Closes in order: what was sent leaves first, our own requests reject with `closed`. */
  close(code: number = CloseCode.Normal, reason = ""): void {
    this.#end("The connection was closed by this side");
    this.transport.close(code, reason);
  }

  #receive(frame: string): void {
    if (this.#closing !== undefined) return;
    const message = parseFrame(frame, this.#options);
    if (message instanceof ErrorAnswer) this.#refuse(null, message);
    else if (Array.isArray(message)) this.#receiveBatch(message, frame.length);
    else this.#receiveMessage(message, frame.length, undefined);
  }

  #receiveBatch(messages: readonly unknown[], size: number): void {
    const { maxRunning = 256 } = this.#options;
    const batch = this.openBatch?.(messages.length, maxRunning, (reply) => {
      if (typeof batch === "object") this.#running?.count(-batch.size);
      this.#send(reply);
    });
    if (typeof batch !== "object") {
      this.#refuse(null, invalidRequest(batch ?? "this revision has no batches"));
      return;
    }
    for (const message of messages) {
      this.#receiveMessage(message, Math.ceil(size / messages.length), batch);
    }
    batch.complete(undefined);
  }

  #receiveMessage(message: unknown, size: number, batch: Batch | undefined): void {
    if (!isObject(message)) {
      const error = invalidRequest(`expected an object, got ${describeValue(message)}`);
      this.#refuse(null, error, batch);
      return;
    }
    const raw: RawMessage = message;
    if (isResponse(raw)) {
      if (this.#pending?.settle(raw) !== true) {
        this.#options.onrefused?.("Nobody waits for this answer");
      }
      return;
    }
    let fault = findFault(raw);
    if (this.#running?.calls.has(raw.id as RequestId) === true) {
      fault ??= invalidRequest(`id ${describeValue(raw.id)} is still in use`);
    }
    const id = isRequestId(raw.id) ? raw.id : undefined;
    if (fault === undefined) {
      const call = new Call(this, id, raw.method as string, raw.params as Params | undefined);
      if (id === undefined) this.#receiveNotification(call);
      else this.#answer(call, id, size, batch);
    }
    // To a notification there is no answer, be it as wrong as it may.
    else if (fault.code !== RpcErrorCode.InvalidParams || id !== undefined) {
      this.#refuse(id ?? null, fault, batch);
    } else this.#options.onrefused?.(fault.message);
  }

  #receiveNotification(call: Call): void {
    try {
      const result = this.#dispatch(call);
      this.#options.lifecycle?.notice(call, this.#pending, this.#running?.calls);
      if (isThenable(result)) result.then(undefined, (error) => this.#onBug(error));
    } catch (error) {
      this.#onBug(error);
    }
  }

  #answer(call: Call, id: RequestId, size: number, batch: Batch | undefined): void {
    batch?.expect();
    let result: unknown;
    try {
      result = this.#dispatch(call);
    } catch (error) {
      this.#reply(this.#formatFailure(id, error), batch);
      return;
    }
    if (isThenable(result)) this.#run(call, id, result, size, batch);
    else this.#reply(this.#formatSuccess(id, result), batch);
  }

  #dispatch(call: Call): unknown {
    const own = this.#handlers?.get(call.method);
    if (own !== undefined) return own(call);
    if (this.#options.handler !== undefined) return this.#options.handler.handle(call);
    return methodNotFound(call.method);
  }

  #run(
    call: Call,
    id: RequestId,
    result: PromiseLike<unknown>,
    size: number,
    batch: Batch | undefined,
  ): void {
    this.#running ??= new RunningRequests();
    const running = this.#running;
    running.add(id, call, size);
    // The handler may have closed the connection itself.
    if (this.#closing !== undefined) call.abort(this.#closing);
    const finish = (reply: string) => {
      running.delete(id, size);
      if (call.aborted) batch?.complete(undefined);
      else this.#reply(reply, batch);
    };
    Promise.resolve(result).then(
      (value) => finish(call.aborted ? "" : this.#formatSuccess(id, value)),
      (error) => finish(call.aborted ? "" : this.#formatFailure(id, error)),
    );
    this.#bound(running);
  }

  /** Closes when the other end makes us keep too much. */
  #bound(running: RunningRequests): void {
    const crowd = running.crowd(this.#options);
    if (crowd !== undefined) this.close(CloseCode.PolicyViolation, crowd);
  }

  #reply(frame: string, batch: Batch | undefined): void {
    if (batch === undefined) {
      this.#send(frame);
      return;
    }
    this.#running ??= new RunningRequests();
    this.#running.count(frame.length);
    batch.complete(frame);
    this.#bound(this.#running);
  }

  #refuse(id: RequestId | null, error: ErrorObject, batch?: Batch): void {
    this.#options.onrefused?.(error.message);
    batch?.expect();
    this.#reply(formatError(id, error), batch);
  }

  #formatSuccess(id: RequestId, result: unknown): string {
    try {
      return formatResult(id, result);
    } catch (error) {
      return this.#formatFailure(id, error);
    }
  }

  #formatFailure(id: RequestId, error: unknown): string {
    if (error instanceof RpcError) {
      try {
        return formatError(id, error);
      } catch (unwritable) {
        return this.#formatFailure(id, unwritable);
      }
    }
    this.#onBug(error);
    return formatError(id, new ErrorAnswer(RpcErrorCode.InternalError, "Internal error"));
  }

  #send(frame: string): void {
    if (this.#closing !== undefined) return;
    const waiting = this.transport.bufferedAmount;
    const { maxBuffered = 1 << 24 } = this.#options;
    if (waiting > maxBuffered) {
      this.close(CloseCode.PolicyViolation, `${waiting} bytes wait to be read, ${maxBuffered} may`);
    } else {
      this.transport.send(frame);
    }
  }

  #abandon(id: number, error: IdewireError): void {
    const isReceived = this.#pending?.reject(id, error) === true;
    const frame = isReceived ? this.#options.lifecycle?.takeBack(id, error.message) : undefined;
    if (frame !== undefined) this.#send(frame);
  }

  #end(why: string): void {
    if (this.#closing !== undefined) return;
    const error = new IdewireError("closed", why);
    this.#closing = error;
    this.#pending?.close(error);
    const calls = [...(this.#running?.calls.values() ?? [])];
    // Whoever still works at one of them answers nobody.
    this.#running = undefined;
    for (const call of calls) call.abort(error);
  }

  /** An RpcError is an answer, which nobody hears if it is thrown at a notification. */
  #onBug(error: unknown): void {
    if (error instanceof RpcError) return;
    this.#options.onerror?.(error instanceof Error ? error : new Error(String(error)));
  }
}

function cancelled(method: string): IdewireError {
  return new IdewireError("cancelled", `${method} was cancelled by its caller`);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}
