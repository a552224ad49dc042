import { IdewireError, RpcError, RpcErrorCode } from "../errors.ts";
import { Batch } from "./batch.ts";
import { Call, type CallOwner, type Progress } from "./call.ts";
import { type Clock, systemClock } from "./clock.ts";
import {
  describeValue,
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
  type Params,
  type RawMessage,
  type RequestId,
} from "./message.ts";
import { PendingRequests, type RequestOptions, wantsProgress } from "./pending-requests.ts";
import { RunningCalls } from "./running-calls.ts";
import { StateOutbox } from "./state-outbox.ts";
import { CloseCode, type CloseReason, type Transport } from "./transport.ts";

/**
 * Answers what the other end asks. A value is the result, sent in the same turn; a promise is
 * awaited; an {@link RpcError} that is thrown is sent; anything else that is thrown is a bug, of
 * which the other end hears "Internal error" and no more. For a notification the result is dropped.
 */
export type Handler = (call: Call) => unknown;

export interface PeerOptions {
  /** Takes every call that no {@link Peer.handle} names. Without it they are unknown methods. */
  readonly handler?: { handle(call: Call): unknown };
  /** The names of the notifications that cancel a request and tell of its progress. */
  readonly conventions?: PeerConventions;
  /** Hears of bugs in handlers; it must not throw. */
  readonly onerror?: (error: Error) => void;
  /** Hears, in words, what the other end did wrong in a frame that was refused. */
  readonly onrefused?: (why: string) => void;
  /** The first id of our own requests; 1,000,000, clear of what clients count from. */
  readonly firstRequestId?: number;
  /**
   * How many requests of the other end may be unanswered at once; 256. One more closes. A batch of
   * more messages is refused.
   */
  readonly maxRunning?: number;
  /** How many units of text those may hold together; 32 Mi. More closes. */
  readonly maxRunningSize?: number;
  /** How much may wait to be sent when we send more; 16 Mi. More closes: the other end reads nothing. */
  readonly maxBuffered?: number;
  readonly clock?: Clock;
}

/** MCP's are in `mcp/protocol.ts`; their parameters are those of MCP. */
export interface PeerConventions {
  readonly cancelled: string;
  readonly progress: string;
}

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
  /** Whether arrays of messages are understood: MCP 2025-03-26 only. */
  acceptsBatches = false;

  readonly #transport: Transport;
  readonly #options: PeerOptions;
  // Most connections are idle, and most only answer: the rest is made when it is needed.
  #handlers: Map<string, Handler> | undefined;
  #pending: PendingRequests | undefined;
  #running: RunningCalls | undefined;
  #states: StateOutbox | undefined;
  #nextId: number;
  #closing: IdewireError | undefined;

  constructor(transport: Transport, options: PeerOptions = {}) {
    this.#transport = transport;
    this.#options = options;
    this.#nextId = options.firstRequestId ?? 1_000_000;
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

  /** How many of our requests wait for their answer. */
  get pendingCount(): number {
    return this.#pending?.size ?? 0;
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
    const signal = options?.signal;
    if (signal?.aborted === true) return Promise.reject(cancelled(method));
    const id = this.#nextId++;
    const sent = wantsProgress(options) ? withProgressToken(params, id) : params;
    const frame = formatRequest(id, method, sent);
    this.#pending ??= new PendingRequests(this.#options.clock ?? systemClock, (id) =>
      this.#timeOut(id),
    );
    const answer = this.#pending.wait(id, options);
    if (signal !== undefined) {
      const abort = () => this.#abandon(id, cancelled(method), "cancelled by the caller");
      signal.addEventListener("abort", abort);
      this.#pending.whenSettled(id, () => signal.removeEventListener("abort", abort));
    }
    this.#send(frame);
    return answer;
  }

  /** Sends a notification; it is dropped after close. */
  notify(method: string, params?: Params): void {
    this.#send(formatNotification(method, params));
  }

  /**
   * Sends a notification that tells a state, already formatted, so that a fan-out serialises once.
   * While the other end is slow only the newest frame of each `key` is kept; it may then arrive
   * later than what is sent after it.
   */
  sendState(key: string, frame: string): void {
    if (this.#closing !== undefined) return;
    this.#states ??= new StateOutbox(this.#transport);
    this.#states.send(key, frame);
  }

  sendProgress(token: RequestId, progress: Progress): void {
    const method = this.#options.conventions?.progress;
    if (method !== undefined) this.notify(method, { progressToken: token, ...progress });
  }

  /** Closes in order: what was sent leaves first, our own requests reject with `closed`. */
  close(code: number = CloseCode.Normal, reason = ""): void {
    this.#end("The connection was closed by this side");
    this.#transport.close(code, reason);
  }

  #receive(frame: string): void {
    if (this.#closing !== undefined) return;
    let message: unknown;
    try {
      message = JSON.parse(frame);
    } catch {
      const text = `Parse error: a frame of ${frame.length} characters is not JSON`;
      this.#refuse(null, { code: RpcErrorCode.ParseError, message: text });
      return;
    }
    if (Array.isArray(message)) this.#receiveBatch(message, frame.length);
    else this.#receiveMessage(message, frame.length, undefined);
  }

  #receiveBatch(messages: readonly unknown[], size: number): void {
    const fault = this.#batchFault(messages.length);
    if (fault !== undefined) {
      this.#refuse(null, invalidRequest(fault));
      return;
    }
    const batch = new Batch((reply) => this.#send(reply));
    for (const message of messages) {
      this.#receiveMessage(message, Math.ceil(size / messages.length), batch);
    }
    batch.complete(undefined);
  }

  #batchFault(length: number): string | undefined {
    if (!this.acceptsBatches) return "this revision has no batches";
    const { maxRunning = 256 } = this.#options;
    return length >= 1 && length <= maxRunning
      ? undefined
      : `a batch has 1 to ${maxRunning} messages, got ${length}`;
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
        this.#options.onrefused?.("An answer that nobody waits for was dropped");
      }
      return;
    }
    const fault = findFault(raw);
    if (fault === undefined) this.#receiveCall(raw as CallMessage, size, batch);
    else this.#refuse(isRequestId(raw.id) ? raw.id : null, fault, batch);
  }

  #receiveCall(message: CallMessage, size: number, batch: Batch | undefined): void {
    const { id, method, params } = message;
    if (params !== undefined && !isObject(params)) {
      const text = `Invalid params: expected an object, got ${describeValue(params)}`;
      if (id === undefined) this.#options.onrefused?.(text);
      else this.#refuse(id, { code: RpcErrorCode.InvalidParams, message: text }, batch);
    } else if (id === undefined) {
      this.#receiveNotification(new Call(this, undefined, method, params));
    } else if (this.#running?.has(id) === true) {
      const error = invalidRequest(`id ${describeValue(id)} is still in use`);
      this.#refuse(id, error, batch);
    } else {
      this.#answer(new Call(this, id, method, params), id, size, batch);
    }
  }

  #receiveNotification(call: Call): void {
    const { conventions } = this.#options;
    try {
      if (call.method === conventions?.progress) this.#pending?.progress(call.params);
      else if (call.method === conventions?.cancelled) this.#cancelRunning(call.params);
      const result = this.#dispatch(call);
      if (isThenable(result)) result.then(undefined, (error) => this.#onUnheard(error));
    } catch (error) {
      this.#onUnheard(error);
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
    throw methodNotFound(call.method);
  }

  #run(
    call: Call,
    id: RequestId,
    result: PromiseLike<unknown>,
    size: number,
    batch: Batch | undefined,
  ): void {
    this.#running ??= new RunningCalls();
    const running = this.#running;
    running.add(id, call, size);
    // The handler may have closed the connection itself.
    if (this.#closing !== undefined) call.abort(this.#closing);
    const finish = (reply: string) => {
      running.delete(id);
      if (call.aborted) batch?.complete(undefined);
      else this.#reply(reply, batch);
    };
    Promise.resolve(result).then(
      (value) => finish(call.aborted ? "" : this.#formatSuccess(id, value)),
      (error) => finish(call.aborted ? "" : this.#formatFailure(id, error)),
    );
    const { maxRunning = 256, maxRunningSize = 1 << 25 } = this.#options;
    if (running.count > maxRunning) {
      this.close(CloseCode.PolicyViolation, `More than ${maxRunning} requests in flight`);
    } else if (running.size > maxRunningSize) {
      this.close(CloseCode.PolicyViolation, "The requests in flight are too large together");
    }
  }

  #reply(frame: string, batch: Batch | undefined): void {
    if (batch === undefined) this.#send(frame);
    else batch.complete(frame);
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
    let bug = error;
    if (error instanceof RpcError) {
      try {
        return formatError(id, error);
      } catch (unwritable) {
        bug = unwritable;
      }
    }
    this.#onBug(bug);
    return formatError(id, { code: RpcErrorCode.InternalError, message: "Internal error" });
  }

  #send(frame: string): void {
    if (this.#closing !== undefined) return;
    const waiting = this.#transport.bufferedAmount;
    const { maxBuffered = 1 << 24 } = this.#options;
    if (waiting > maxBuffered) {
      this.close(CloseCode.PolicyViolation, `${waiting} bytes wait to be read, ${maxBuffered} may`);
    } else {
      this.#transport.send(frame);
    }
  }

  #cancelRunning(params: Params | undefined): void {
    const id = params?.["requestId"];
    if (!isRequestId(id)) return;
    this.#running?.abort(id, new IdewireError("cancelled", "The caller cancelled"));
  }

  #timeOut(id: number): void {
    const error = new IdewireError("timeout", `No answer to request ${id} in time`);
    this.#abandon(id, error, "timed out");
  }

  #abandon(id: number, error: IdewireError, reason: string): void {
    const method = this.#options.conventions?.cancelled;
    const isHeard = this.#pending?.reject(id, error) === true;
    if (isHeard && method !== undefined) this.notify(method, { requestId: id, reason });
  }

  #end(why: string): void {
    if (this.#closing !== undefined) return;
    const error = new IdewireError("closed", why);
    this.#closing = error;
    this.#states?.discard();
    this.#pending?.close(error);
    this.#running?.abortAll(error);
  }

  /** What a notification's handler threw: an RpcError is an answer, which nobody hears. */
  #onUnheard(error: unknown): void {
    if (!(error instanceof RpcError)) this.#onBug(error);
  }

  #onBug(error: unknown): void {
    const cause = error instanceof Error ? error : new Error(String(error));
    this.#options.onerror?.(cause);
  }
}

interface CallMessage {
  readonly id?: RequestId;
  readonly method: string;
  readonly params?: unknown;
}

/** The answer to a request whose method nobody handles. */
export function methodNotFound(method: string): RpcError {
  return new RpcError(RpcErrorCode.MethodNotFound, `Method not found: ${describeValue(method)}`);
}

function cancelled(method: string): IdewireError {
  return new IdewireError("cancelled", `${method} was cancelled by its caller`);
}

function withProgressToken(params: Params | undefined, token: number): Params {
  const meta = params?.["_meta"];
  return { ...params, _meta: { ...(isObject(meta) ? meta : undefined), progressToken: token } };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { then?: unknown }).then === "function"
  );
}
