import { IdewireError, RpcErrorCode } from "../errors.ts";
import { requireFunction, requireKnownOptions } from "../misuse.ts";
import { describeValue } from "../text/describe-value.ts";
import { formatFailure, formatSuccess, reportBug } from "./answer.ts";
import type { Batch, OpenBatch } from "./batch.ts";
import { Call, type CallOwner, type Progress } from "./call.ts";
import {
  ErrorAnswer,
  type ErrorObject,
  findFault,
  formatError,
  formatNotification,
  invalidRequest,
  isObject,
  isRequestId,
  methodNotFound,
  type Params,
  parseFrame,
  type RawMessage,
  type RequestId,
} from "./message.ts";
import { type Handler, PEER_OPTIONS, type PeerOptions, type SendAnswer } from "./peer-options.ts";
import type { Redactor } from "./redactor.ts";
import type { RequestOptions } from "./request-options.ts";
import { RunningRequests } from "./running-requests.ts";
import { SentRequests } from "./sent-requests.ts";
import { CloseCode, type CloseReason, type Transport } from "./transport.ts";

/** After so many in a row, the other end does not speak JSON-RPC, or floods this one. */
const MAX_UNREAD = 10_000;

/**
 * One end of a JSON-RPC 2.0 conversation over one {@link Transport}, which it owns.
 *
 * Calls are handled in order of arrival; answers are sent in the order in which the handlers finish.
 * Invalid frames are answered as section 5 of the specification says, and the conversation goes on.
 * A message without a method may be a malformed response; never reply to it: it fails our request with its id,
 * if there is one. Otherwise a client drops it, and a server does if it has a result or an error; anything else
 * is an invalid request.
 */
export class Peer implements CallOwner, Redactor {
  /** Resolves when the transport has closed, after everything else; never rejects. */
  readonly closed: Promise<CloseReason>;
  /** Answers batches, if the protocol has them; otherwise they are refused. */
  openBatch: OpenBatch | undefined;

  /** The handler of the calls that have none by {@link Peer.handle}. */
  readonly handler: PeerOptions["handler"];
  /** The transport; closed together with the peer. */
  readonly transport: Transport;
  readonly #owner: CallOwner;
  /** How requests are cancelled and their progress is reported. */
  readonly lifecycle: PeerOptions["lifecycle"];
  readonly options: PeerOptions;
  /** The requests of this end; set by the first. */
  requests: SentRequests | undefined;
  // Most connections are idle, and most only answer, so the rest is created on first use.
  #handlers: Map<string, Handler> | undefined;
  #running: RunningRequests | undefined;
  #closing: string | undefined;
  /** How many messages in a row could not be read. */
  #unread = 0;

  /**
   * @param own those of the options that are this peer's own, where it shares the others
   * @throws IdewireError `invalid-argument` for an unknown option, and for a transport that has a peer already
   */
  constructor(
    transport: Transport,
    options: PeerOptions = {},
    own: Pick<PeerOptions, "handler" | "owner" | "lifecycle"> = options,
  ) {
    // Shared options are checked by their owner.
    if (own === options) requireKnownOptions("Peer", options, PEER_OPTIONS);
    if (transport.onframe !== undefined) {
      throw new IdewireError("invalid-argument", "Peer: the transport has a peer already");
    }
    this.transport = transport;
    this.options = options;
    this.handler = own.handler;
    this.#owner = own.owner ?? this;
    this.lifecycle = own.lifecycle;
    // V8 allocates a function that is written in the assignment to a member as long-lived: all that it
    // refers to then outlives many collections, which costs too much where each request has its own peer.
    this.closed = new Promise((resolve) => {
      const onclose = (reason: CloseReason) => {
        this.#end(`The connection closed with ${reason.code} ${reason.reason}`.trimEnd());
        resolve(reason);
      };
      transport.onclose = onclose;
    });
    const onframe = (frame: string) => this.#receive(frame);
    transport.onframe = onframe;
  }

  /** Why nothing is sent or taken any more; undefined while the peer is open. */
  get closing(): string | undefined {
    return this.#closing;
  }

  /**
   * An upper bound of the bytes kept for the other end: its unanswered requests and the frames that it
   * has not read.
   */
  get heldBytes(): number {
    return 2 * (this.#running?.size ?? 0) + this.transport.bufferedAmount;
  }

  /**
   * Sets the handler of one method, request or notification, in place of an earlier one.
   * @typeParam P the assumed type of the parameters, which is not checked
   * @throws IdewireError `invalid-argument` for a handler that is not a function
   */
  handle<P = Params | undefined>(method: string, handler: Handler<P>): void {
    requireFunction(`The handler of ${method}`, handler);
    this.#handlers ??= new Map();
    this.#handlers.set(method, handler as Handler);
  }

  /**
   * Sends a request to the other end.
   * @throws TypeError or RangeError, synchronously, when `params` cannot be serialised as JSON
   * @throws IdewireError `invalid-argument`, synchronously, for an unknown option
   * @throws RpcError when the other end answers with an error
   * @throws IdewireError `closed`, `cancelled`, `timeout`, `protocol`, or `unreachable`, before anything is
   * sent, when the transport cannot reach the other end
   */
  request(method: string, params?: Params, options?: RequestOptions): Promise<unknown> {
    this.requests ??= new SentRequests(this);
    return this.requests.send(method, params, options);
  }

  /**
   * Sends a notification; after close it is dropped.
   * @param about the request of the other end that it belongs to
   */
  notify(method: string, params?: Params, about?: RequestId): void {
    this.send(formatNotification(method, params, this.options.json), about);
  }

  /**
   * Sends a frame as it is; after close it is dropped.
   * @param about the request of the other end that it belongs to
   */
  send(frame: string, about?: RequestId): void {
    if (this.#closing !== undefined) return;
    const waiting = this.transport.bufferedAmount;
    const { maxBuffered = 1 << 24 } = this.options;
    if (waiting > maxBuffered) {
      this.close(CloseCode.PolicyViolation, `${waiting} bytes unread, the limit is ${maxBuffered}`);
    } else {
      this.transport.send(frame, about);
    }
  }

  redact<T>(value: T): T {
    return this.transport.redact?.(value) ?? value;
  }

  report(call: Call<unknown>, progress: Progress): void {
    const frame = this.lifecycle?.report(call, progress);
    if (frame !== undefined) this.send(frame, call.id);
  }

  /**
   * Closes the connection after the frames already sent; our pending requests reject with `closed`.
   */
  close(code: number = CloseCode.Normal, reason = ""): void {
    this.#end("The connection was closed by this side");
    this.transport.close(code, reason);
  }

  /**
   * Receives the message of a frame, from a transport that has bounded it by `isCostly` and parsed it.
   * @param message one message, or a batch
   * @param size how many units of text it had
   * @param answer receives the answer in place of the transport
   */
  receive(message: unknown, size: number, answer?: SendAnswer): void {
    if (this.#closing !== undefined) answer?.(undefined);
    else if (Array.isArray(message)) this.#receiveBatch(message, size, answer);
    else this.#receiveMessage(message, size, answer);
  }

  #receive(frame: string): void {
    if (this.#closing !== undefined) return;
    const message = parseFrame(frame, this.options);
    if (!(message instanceof ErrorAnswer)) {
      this.#unread = 0;
      this.receive(message, frame.length);
    } else if (this.options.isClient === true) this.#receiveUnread(frame, message.message);
    else this.#refuse(null, message);
  }

  #receiveUnread(frame: string, why: string): void {
    if (this.handler?.handleUnread?.(frame, why) === true) return;
    this.options.onrefused?.(why);
    this.requests?.unread(frame);
    this.#unread += 1;
    if (this.#unread < MAX_UNREAD) return;
    const reason = `The last ${MAX_UNREAD} messages of the server cannot be read`;
    this.#end(reason);
    this.transport.close(CloseCode.PolicyViolation, reason);
  }

  #receiveBatch(messages: readonly unknown[], size: number, answer?: SendAnswer): void {
    const { maxRunning = 256, isClient } = this.options;
    const isAnswers = messages.length > 0 && messages.every(isAnswer);
    if (this.openBatch === undefined && isClient === true && isAnswers) {
      // Even in revisions without batches, some servers answer with a list of one.
      for (const message of messages) this.#receiveMessage(message, 0, undefined);
      answer?.(undefined);
      return;
    }
    const batch = this.openBatch?.(messages.length, maxRunning, (reply) => {
      if (reply === undefined) {
        answer?.(undefined);
        return;
      }
      if (this.#running) this.#running.size -= reply.length - 1;
      this.#reply(reply, undefined, answer);
    });
    if (typeof batch !== "object") {
      this.#refuse(null, invalidRequest(batch ?? "this revision has no batches"), answer);
      return;
    }
    for (const message of messages) {
      this.#receiveMessage(message, Math.ceil(size / messages.length), batch);
    }
    batch.complete();
  }

  #receiveMessage(message: unknown, size: number, to: Batch | SendAnswer | undefined): void {
    if (!isObject(message)) {
      const seen = describeValue(message, this);
      this.#refuse(null, invalidRequest(`expected an object, got ${seen}`), to);
      return;
    }
    // Some servers write absent members so.
    const isAbsent = message["params"] === null && this.options.isClient === true;
    const raw: RawMessage = isAbsent ? { ...message, params: undefined } : message;
    if (this.#isAnswer(raw)) {
      if (this.requests?.settle(raw, size) !== true) {
        this.options.onrefused?.("No request waits for this answer");
      }
      answerNothing(to);
      return;
    }
    let fault = findFault(raw, this.options.maxDepth, this);
    if (this.#running?.calls.has(raw.id as RequestId) === true) {
      fault ??= invalidRequest(`id ${describeValue(raw.id, this)} is still in use`);
    }
    const id = isRequestId(raw.id) ? raw.id : undefined;
    if (fault === undefined) {
      const call = new Call(
        this.#owner,
        id,
        raw.method as string,
        raw.params as Params | undefined,
      );
      if (id !== undefined) this.#answer(call, id, size, to);
      else {
        this.#receiveNotification(call);
        answerNothing(to);
      }
    }
    // A notification is never answered, not even an invalid one.
    else if (fault.code !== RpcErrorCode.InvalidParams || id !== undefined) {
      this.#refuse(id ?? null, fault, to);
    } else {
      this.options.onrefused?.(fault.message);
      answerNothing(to);
    }
  }

  #isAnswer(raw: RawMessage): boolean {
    if (raw.method !== undefined) return false;
    if (this.options.isClient === true || "result" in raw || "error" in raw) return true;
    return this.requests?.awaits(raw.id as RequestId) === true;
  }

  #receiveNotification(call: Call): void {
    try {
      const result = this.#dispatch(call);
      this.lifecycle?.notice(call, this.requests, this.#running?.calls);
      if (isThenable(result)) result.then(undefined, (error) => reportBug(error, this.options));
    } catch (error) {
      reportBug(error, this.options);
    }
  }

  #answer(call: Call, id: RequestId, size: number, to: Batch | SendAnswer | undefined): void {
    if (typeof to === "object") to.expect();
    let result: unknown;
    try {
      result = this.#dispatch(call);
    } catch (error) {
      this.#reply(formatFailure(id, error, this.options), id, to);
      return;
    }
    if (isThenable(result)) this.#run(call, id, result, size, to);
    else this.#reply(formatSuccess(id, result, this.options), id, to);
  }

  #dispatch(call: Call): unknown {
    const own = this.#handlers?.get(call.method);
    if (own !== undefined) return own(call);
    if (this.handler !== undefined) return this.handler.handle(call);
    return methodNotFound(call.method);
  }

  #run(
    call: Call,
    id: RequestId,
    result: PromiseLike<unknown>,
    size: number,
    to: Batch | SendAnswer | undefined,
  ): void {
    this.#running ??= new RunningRequests();
    const running = this.#running;
    running.calls.set(id, call);
    running.size += size;
    // Aborted calls are never answered, however long their handlers run.
    if (to !== undefined) {
      const onabort = () => (typeof to === "object" ? to.complete() : to(undefined));
      call.onabort = onabort;
    }
    // The handler itself may have closed the connection.
    if (this.#closing !== undefined) call.abort(closed(this.#closing));
    const finish = (format: typeof formatSuccess, outcome: unknown) => {
      running.calls.delete(id);
      running.size -= size;
      call.answered();
      if (!call.aborted) this.#reply(format(id, outcome, this.options), id, to);
    };
    Promise.resolve(result).then(
      (value) => finish(formatSuccess, value),
      (error) => finish(formatFailure, error),
    );
    this.#bound(running);
  }

  /** Closes when the calls in progress exceed the limits. */
  #bound(running: RunningRequests): void {
    const limit = running.exceededLimit(this.options);
    if (limit !== undefined) this.close(CloseCode.PolicyViolation, limit);
  }

  #reply(
    frame: string,
    id: RequestId | null | undefined,
    to: Batch | SendAnswer | undefined,
  ): void {
    if (to === undefined) this.send(frame, id ?? undefined);
    else if (typeof to === "object") {
      this.#running ??= new RunningRequests();
      // With the preceding comma or bracket.
      this.#running.size += frame.length + 1;
      to.complete(frame);
      this.#bound(this.#running);
    } else to(this.#closing === undefined ? frame : undefined);
  }

  #refuse(id: RequestId | null, error: ErrorObject, to?: Batch | SendAnswer): void {
    this.options.onrefused?.(error.message);
    if (typeof to === "object") to.expect();
    // MCP has no id of null: only where the medium does not identify the request of an answer, JSON-RPC's is used.
    this.#reply(formatError(typeof to === "function" ? (id ?? undefined) : id, error), id, to);
  }

  #end(why: string): void {
    if (this.#closing !== undefined) return;
    this.#closing = why;
    this.requests?.close(why);
    const calls = [...(this.#running?.calls.values() ?? [])];
    // The answers of handlers that are still running are dropped.
    this.#running = undefined;
    for (const call of calls) call.abort(closed(why));
  }
}

/** No answer to a message; in a batch, no answer was announced. */
function isAnswer(message: unknown): boolean {
  return isObject(message) && message["method"] === undefined;
}

function answerNothing(to: Batch | SendAnswer | undefined): void {
  if (typeof to === "function") to(undefined);
}

function closed(why: string): IdewireError {
  return new IdewireError("closed", why);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}
